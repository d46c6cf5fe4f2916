/* SPDX-License-Identifier: MIT */
/* What the reader says about mistakes: for each a small text with a '^' before the place that must be reported, the
 * code and the severity. The mark is taken out before reading; line and column are counted here, in characters. Each
 * text must give exactly one record: nothing is reported twice for one cause. */
#include "net_test.h"

typedef struct mistake {
    const char *text; /* behind the frame, see net_test.h */
    sl_code code;
    sl_severity severity;
    const char *word; /* part of the text or the hint, NULL: not looked at */
} mistake;

#define E(code, text, word) \
    { text, SL_CODE_##code, SL_ERROR, word }
#define W(code, text, word) \
    { text, SL_CODE_##code, SL_WARNING, word }

/* Devices for the mistakes below. */
#define PUMP "[PUMPS]\nPU R A HEAD K\n[CURVES]\nK 3 40\n"
#define VALVES \
    "[JUNCTIONS]\nC 1\nD 1\n[VALVES]\nPRV B C 9 PRV 5\nGPV C D 9 GPV L\n[PIPES]\nP4 D A 1 1 1\nCV A B 1 1 1 CV\n[CURVES]\nL 0 0\nL 9 9\n"
#define PIPE_TO_C "[PIPES]\nP9 A C 1 1 1\n"

static const mistake in_nodes[] = {
    W(MISSING_VALUE, "[JUNCTIONS]\nC^\n" PIPE_TO_C, "elevation"),
    E(NOT_A_NUMBER, "[JUNCTIONS]\nC ^ten 5\n" PIPE_TO_C, "'ten'"),
    E(NOT_A_NUMBER, "[JUNCTIONS]\nC 10 ^1.5.2\n" PIPE_TO_C, "demand"),
    E(NOT_A_NUMBER, "[JUNCTIONS]\nC ^1,5\n" PIPE_TO_C, "decimal point"),
    E(NOT_A_NUMBER, "[JUNCTIONS]\nC ^0x10\n" PIPE_TO_C, NULL),
    E(NOT_A_NUMBER, "[JUNCTIONS]\nC ^nan\n" PIPE_TO_C, NULL),
    E(NOT_A_NUMBER, "[JUNCTIONS]\nC ^inf\n" PIPE_TO_C, NULL),
    E(NUMBER_RANGE, "[JUNCTIONS]\nC ^1e999\n" PIPE_TO_C, NULL),
    E(UNKNOWN_PATTERN, "[JUNCTIONS]\nC 10 1 ^NOSUCH\n" PIPE_TO_C, "NOSUCH"),
    E(DUPLICATE_ID, "[JUNCTIONS]\n^A 10\n", "line 4"),
    E(DUPLICATE_ID, "[JUNCTIONS]\n^R 10\n", "line 7"),
    E(DUPLICATE_ID, "[TANKS]\n^A 10 3 1 5 10\n", NULL),
    W(LONG_ID,
      "[JUNCTIONS]\n^abcdefghijklmnopqrstuvwxyz_789012 1\n[PIPES]\nP9 A abcdefghijklmnopqrstuvwxyz_789012 1 1 1\n",
      "33"),
    E(MISSING_VALUE, "[RESERVOIRS]\nR2^\n", "head"),
    E(NOT_A_NUMBER, "[RESERVOIRS]\nR2 ^x\n[PIPES]\nP9 A R2 1 1 1\n", "head"),
    E(UNKNOWN_PATTERN, "[RESERVOIRS]\nR2 5 ^x\n[PIPES]\nP9 A R2 1 1 1\n", NULL),
    E(MISSING_VALUE, "[TANKS]\nT2 10 3 1^\n", "tank"),
    E(MISSING_VALUE, "[TANKS]\nT2 10 3 1 5^ ;comment\n", "diameter"),
    E(VALUE_RANGE, "[TANKS]\nT2 10 ^-3 0 5 10\n[PIPES]\nP9 A T2 1 1 1\n", "initial level"),
    E(VALUE_RANGE, "[TANKS]\nT2 10 3 1 5 ^-1\n[PIPES]\nP9 A T2 1 1 1\n", "diameter"),
    E(UNKNOWN_CURVE, "[TANKS]\nT2 10 3 1 5 10 0 ^V\n[PIPES]\nP9 A T2 1 1 1\n", "volume curve"),
    E(UNKNOWN_KEYWORD, "[TANKS]\nT2 10 3 1 5 10 0 * ^maybe\n[PIPES]\nP9 A T2 1 1 1\n", "YES"),
    W(LEGACY, "[TANKS]\nT2 10 3 1 5 ^0\n[PIPES]\nP9 A T2 1 1 1\n", "reservoir"),
    E(MISSING_VALUE, "[DEMANDS]\nA^\n", "demand"),
    E(UNKNOWN_NODE, "[DEMANDS]\n^AA 5\n", "'A'"),
    E(NOT_A_NUMBER, "[DEMANDS]\nA ^x\n", NULL),
    E(UNKNOWN_PATTERN, "[DEMANDS]\nA 1 ^x\n", NULL),
    W(IGNORED, "[DEMANDS]\n^T 5\n", "junctions"),
    W(LEGACY, "[DEMANDS]\n^MULTIPLY 2\n", NULL),
    E(VALUE_RANGE, "[DEMANDS]\nMULTIPLY ^0\n", NULL),
    E(MISSING_VALUE, "[EMITTERS]\nA^\n", NULL),
    E(VALUE_RANGE, "[EMITTERS]\nA ^-1\n", NULL),
    E(UNKNOWN_NODE, "[EMITTERS]\n^X 1\n", NULL),
    W(IGNORED, "[EMITTERS]\n^R 1\n", NULL),
    E(MISSING_VALUE, "[PATTERNS]\nX^\n", "multiplier"),
    E(NOT_A_NUMBER, "[PATTERNS]\nX 1 2 ^three 4\n", "three"),
    E(MISSING_VALUE, "[CURVES]\nX^\n", NULL),
    E(MISSING_VALUE, "[CURVES]\nX 1^\n", NULL),
    E(NOT_A_NUMBER, "[CURVES]\nX 1 ^y\n", NULL),
};

static const mistake in_links[] = {
    E(MISSING_VALUE, "[PIPES]\nX A^\n", "node"),
    W(MISSING_VALUE, "[PIPES]\nX A B^\n", "default"),
    W(MISSING_VALUE, "[PIPES]\nX A B 1 1^ ;c\n", "roughness"),
    E(UNKNOWN_NODE, "[PIPES]\nX ^AB B 1 1 1\n", "AB"),
    E(UNKNOWN_NODE, "[PIPES]\nX A ^nowhere 1 1 1\n", "nowhere"),
    E(NOT_A_NUMBER, "[PIPES]\nX A B ^long 1 1\n", "length"),
    E(VALUE_RANGE, "[PIPES]\nX A B ^0 1 1\n", "length"),
    E(VALUE_RANGE, "[PIPES]\nX A B 1 ^-5 1\n", "diameter"),
    E(VALUE_RANGE, "[PIPES]\nX A B 1 1 ^0\n", "roughness"),
    E(VALUE_RANGE, "[PIPES]\nX A B 1 1 1 ^-1\n", "minor"),
    E(UNKNOWN_KEYWORD, "[PIPES]\nX A B 1 1 1 ^Opne\n", "OPEN"),
    E(UNKNOWN_KEYWORD, "[PIPES]\nX A B 1 1 1 0 ^Close\n", "CLOSED"),
    E(DUPLICATE_ID, "[PIPES]\n^P1 A B 1 1 1\n", "line 11"),
    E(SELF_LOOP, "[PIPES]\nX A ^A 1 1 1\n", NULL),
    E(MISSING_VALUE, "[PUMPS]\nX R^\n", NULL),
    E(NO_PUMP_DATA, "[PUMPS]\nX R A^\n", "HEAD"),
    E(UNKNOWN_KEYWORD, "[PUMPS]\nX R A ^HEID K\n", "HEAD"),
    W(IGNORED, "[PUMPS]\nX R A POWER 5 ^SPEED\n", "no value"),
    E(UNKNOWN_CURVE, "[PUMPS]\nX R A HEAD ^K\n", "'K'"),
    E(UNKNOWN_PATTERN, "[PUMPS]\nX R A POWER 1 PATTERN ^K\n", NULL),
    E(NOT_A_NUMBER, "[PUMPS]\nX R A POWER ^K\n", NULL),
    E(VALUE_RANGE, "[PUMPS]\nX R A POWER ^-3\n", "power"),
    E(VALUE_RANGE, "[PUMPS]\nX R A POWER 3 SPEED ^-1\n", "speed"),
    W(LEGACY, "[PUMPS]\nX R A ^7.5\n", "2.0"),
    E(MISSING_VALUE, "[VALVES]\nX A^\n", "node"),
    E(MISSING_VALUE, "[VALVES]\nX A B^\n", "diameter"),
    E(MISSING_VALUE, "[VALVES]\nX A B 9^\n", "type"),
    E(UNKNOWN_KEYWORD, "[VALVES]\nX A B 9 ^PRX 5\n", "PRV"),
    W(MISSING_VALUE, "[VALVES]\nX A B 9 TCV^\n", "setting"),
    E(NOT_A_NUMBER, "[VALVES]\nX A B 9 TCV ^x\n", NULL),
    E(UNKNOWN_CURVE, "[VALVES]\nX A B 9 GPV ^x\n", NULL),
    E(UNKNOWN_CURVE, "[VALVES]\nX A B 9 GPV^\n", "curve"),
    E(UNKNOWN_CURVE, "[VALVES]\nX A B 9 PCV 5 0 ^x\n", NULL),
    E(VALUE_RANGE, "[VALVES]\nX A B ^0 TCV 5\n", "diameter"),
    E(VALUE_RANGE, "[VALVES]\nX A B 9 TCV ^-5\n", "setting"),
    E(MISSING_VALUE, "[STATUS]\nP2^\n", "OPEN"),
    E(UNKNOWN_LINK, "[STATUS]\n^P22 Open\n", "'P2'"),
    E(UNKNOWN_KEYWORD, "[STATUS]\nP2 ^Ajar\n", "'Ajar'"),
    E(UNKNOWN_KEYWORD, "[STATUS]\nP2 ^ACTIVE\n", NULL),
    E(VALUE_RANGE, PUMP "[STATUS]\nPU ^-1\n", NULL),
    E(WRONG_KIND, VALVES "[STATUS]\n^CV Open\n", "check valve"),
    E(WRONG_KIND, VALVES "[STATUS]\nGPV ^5\n", NULL),
    W(IGNORED, "[STATUS]\nP2 ^1\n", "pipe"),
    E(MISSING_VALUE, "[LEAKAGE]\nP2 1^\n", NULL),
    E(UNKNOWN_LINK, "[LEAKAGE]\n^X 1 1\n", NULL),
    E(VALUE_RANGE, "[LEAKAGE]\nP2 1 ^-1\n", NULL),
    W(IGNORED, PUMP "[LEAKAGE]\n^PU 1 1\n", "pipes"),
    W(IGNORED, "[ROUGHNESS]\n^P2 100\n", NULL),
};

static const mistake in_settings[] = {
    W(UNKNOWN_OPTION, "[OPTIONS]\n^Headlos H-W\n", "Headloss"),
    W(UNKNOWN_OPTION, "[OPTIONS]\n^Zzzzzzz 5\n", "not known"),
    W(MISSING_VALUE, "[OPTIONS]\nTrials^\n", NULL),
    E(UNKNOWN_KEYWORD, "[OPTIONS]\nUnits ^GPS\n", "GPM"),
    E(UNKNOWN_KEYWORD, "[OPTIONS]\nPressure ^ATM\n", "PSI"),
    E(UNKNOWN_KEYWORD, "[OPTIONS]\nHeadloss ^HW\n", "H-W"),
    E(UNKNOWN_KEYWORD, "[OPTIONS]\nDemand Model ^PDX\n", "PDA"),
    W(MISSING_VALUE, "[OPTIONS]\nDemand Model^\n", NULL),
    E(UNKNOWN_KEYWORD, "[OPTIONS]\nBackflow Allowed ^maybe\n", "YES"),
    E(UNKNOWN_KEYWORD, "[OPTIONS]\nUnbalanced ^Halt\n", "STOP"),
    E(NOT_A_NUMBER, "[OPTIONS]\nTrials ^many\n", "many"),
    E(VALUE_RANGE, "[OPTIONS]\nTrials ^0\n", NULL),
    E(VALUE_RANGE, "[OPTIONS]\nAccuracy ^0\n", NULL),
    W(ADJUSTED, "[OPTIONS]\nAccuracy ^0.5\n", "0.1"),
    E(VALUE_RANGE, "[OPTIONS]\nViscosity ^-1\n", NULL),
    E(VALUE_RANGE, "[OPTIONS]\nSpecific Gravity ^0\n", NULL),
    E(VALUE_RANGE, "[OPTIONS]\nRQTOL ^1\n", NULL),
    E(VALUE_RANGE, "[OPTIONS]\nMinimum Pressure ^-1\n", NULL),
    E(VALUE_RANGE, "[OPTIONS]\nDemand Model PDA\nMinimum Pressure 5\nRequired Pressure ^5.05\n", "0.1"),
    W(IGNORED, "[OPTIONS]\nEmitter ^0.5\n", "third"),
    W(IGNORED, "[OPTIONS]\nMinimum ^5\n", "third"),
    E(MISSING_VALUE, "[OPTIONS]\nQuality Trace^\n", "node"),
    E(UNKNOWN_NODE, "[OPTIONS]\nQuality Trace ^X\n", "trace"),
    W(SYNTAX, "[OPTIONS]\nQuality ^Tolerance 0.3\n", "TOLERANCE"),
    W(IGNORED, "[OPTIONS]\n^Hydraulics Use f.hyd\n", NULL),
    E(UNKNOWN_KEYWORD, "[OPTIONS]\nHydraulics ^Take f.hyd\n", "SAVE"),
    E(MISSING_VALUE, "[TIMES]\nDuration^\n", NULL),
    E(NOT_A_TIME, "[TIMES]\nDuration ^long\n", "long"),
    E(NOT_A_TIME, "[TIMES]\nDuration 24 ^parsecs\n", "parsecs"),
    E(NOT_A_TIME, "[TIMES]\nStart ClockTime 14 ^PM\n", NULL),
    E(VALUE_RANGE, "[TIMES]\nDuration ^1e12\n", NULL),
    W(UNKNOWN_OPTION, "[TIMES]\n^Durration 24\n", "Duration"),
    E(UNKNOWN_KEYWORD, "[TIMES]\nReport ^Stop 1\n", "START"),
    E(UNKNOWN_KEYWORD, "[TIMES]\nStatistic ^Median\n", "MINIMUM"),
    E(MISSING_VALUE, "[ENERGY]\nGlobal Price^\n", NULL),
    W(UNKNOWN_OPTION, "[ENERGY]\n^Gloabl Price 1\n", "GLOBAL"),
    E(UNKNOWN_KEYWORD, "[ENERGY]\nGlobal ^Prize 1\n", "PRICE"),
    E(VALUE_RANGE, "[ENERGY]\nGlobal Price ^-1\n", NULL),
    E(VALUE_RANGE, "[ENERGY]\nGlobal Efficiency ^0\n", NULL),
    E(UNKNOWN_PATTERN, "[ENERGY]\nGlobal Pattern ^x\n", NULL),
    E(UNKNOWN_LINK, "[ENERGY]\nPump ^x Price 1\n", NULL),
    E(WRONG_KIND, "[ENERGY]\nPump ^P2 Price 1\n", "pipe"),
    E(UNKNOWN_CURVE, PUMP "[ENERGY]\nPump PU Efficiency ^75\n", "'75'"),
    E(UNKNOWN_KEYWORD, PUMP "[ENERGY]\nPump PU ^Prize 1\n", "PRICE"),
    E(MISSING_VALUE, "[REPORT]\nNodes^\n", NULL),
    E(UNKNOWN_NODE, "[REPORT]\nNodes A ^X B\n", NULL),
    E(UNKNOWN_LINK, "[REPORT]\nLinks ^X\n", NULL),
    E(VALUE_RANGE, "[REPORT]\nPage ^256\n", "255"),
    W(UNKNOWN_OPTION, "[REPORT]\n^Sumary Yes\n", "Summary"),
    E(UNKNOWN_KEYWORD, "[REPORT]\nFlow ^Perhaps\n", NULL),
    E(NOT_A_NUMBER, "[REPORT]\nFlow Below ^x\n", NULL),
    W(MISSING_VALUE, "[QUALITY]\nA^\n", NULL),
    E(VALUE_RANGE, "[QUALITY]\nA ^-1\n", NULL),
    E(UNKNOWN_NODE, "[QUALITY]\n^X 1\n", NULL),
    E(MISSING_VALUE, "[SOURCES]\nA MASS^\n", "strength"),
    E(UNKNOWN_KEYWORD, "[SOURCES]\nA ^MESS 1\n", "MASS"),
    E(UNKNOWN_PATTERN, "[SOURCES]\nA 1 ^x\n", NULL),
    E(UNKNOWN_KEYWORD, "[REACTIONS]\nBulky P1 1\n^Bilk P1 1\n", "BULK"), /* Bulky starts as it should */
    E(VALUE_RANGE, "[REACTIONS]\nOrder Wall ^0.5\n", "0 or 1"),
    E(UNKNOWN_KEYWORD, "[REACTIONS]\nOrder ^Floor 1\n", "BULK"),
    E(UNKNOWN_KEYWORD, "[REACTIONS]\nGlobal ^Bilk 1\n", "BULK"),
    W(UNKNOWN_LINK, "[REACTIONS]\nBulk ^X 1\n", NULL),
    W(IGNORED, PUMP "[REACTIONS]\nWall ^PU 1\n", NULL),
    W(UNKNOWN_NODE, "[REACTIONS]\nTank ^X 1\n", NULL),
    W(IGNORED, "[REACTIONS]\nTank ^A 1\n", NULL),
    E(NOT_A_NUMBER, "[REACTIONS]\nGlobal Bulk ^x\n", NULL),
    E(UNKNOWN_KEYWORD, "[MIXING]\nT ^MIX\n", "MIXED"),
    E(VALUE_RANGE, "[MIXING]\nT 2COMP ^1.5\n", NULL),
    E(UNKNOWN_NODE, "[MIXING]\n^X MIXED\n", NULL),
    W(IGNORED, "[MIXING]\n^A MIXED\n", "junction"),
    W(UNKNOWN_NODE, "[COORDINATES]\n^X 1 1\n", NULL),
    W(NOT_A_NUMBER, "[COORDINATES]\nA 1 ^y\n", NULL),
    W(MISSING_VALUE, "[COORDINATES]\nA 1^\n", NULL),
    W(UNKNOWN_LINK, "[VERTICES]\n^X 1 1\n", NULL),
    W(NOT_A_NUMBER, "[LABELS]\n1 ^y text\n", NULL),
    W(IGNORED, "[TAGS]\n^PIPE P1 x\n", "NODE"),
    W(MISSING_VALUE, "[TAGS]\nNODE A^\n", NULL),
    W(UNKNOWN_NODE, "[TAGS]\nNODE ^X x\n", NULL),
    W(UNKNOWN_LINK, "[TAGS]\nLINK ^A x\n", NULL),
    W(UNKNOWN_SECTION, "^[JUNKTIONS]\nC 5\n", "JUNCTIONS"),
    W(UNKNOWN_SECTION, "^[STUFF]\nC 5 6\n", NULL),
    W(LEGACY, "^[PIPE]\nX A B 1 1 1\n", "PIPES"),
    W(LONG_LINE, "[PATTERNS]\nX 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 ^0 1\n",
      "41"),
};

static const mistake in_controls[] = {
    E(MISSING_VALUE, "[CONTROLS]\nLINK P2 OPEN^\n", "condition"),
    E(UNKNOWN_LINK, "[CONTROLS]\nLINK ^X OPEN AT TIME 1\n", NULL),
    E(UNKNOWN_KEYWORD, "[CONTROLS]\nLINK P2 ^OPNE AT TIME 1\n", "OPEN"),
    E(NOT_A_TIME, "[CONTROLS]\nLINK P2 OPEN AT TIME ^soon\n", NULL),
    E(MISSING_VALUE, "[CONTROLS]\nLINK P2 OPEN IF NODE A^\n", "ABOVE"),
    E(MISSING_VALUE, "[CONTROLS]\nLINK P2 OPEN IF NODE A ABOVE^\n", NULL),
    E(UNKNOWN_NODE, "[CONTROLS]\nLINK P2 OPEN IF NODE ^X ABOVE 1\n", NULL),
    E(UNKNOWN_KEYWORD, "[CONTROLS]\nLINK P2 OPEN IF NODE A ^OVER 1\n", NULL),
    E(NOT_A_NUMBER, "[CONTROLS]\nLINK P2 OPEN IF NODE A ABOVE ^x\n", "pressure"),
    E(NOT_A_NUMBER, "[CONTROLS]\nLINK P2 OPEN IF NODE T ABOVE ^x\n", "level"),
    E(VALUE_RANGE, PUMP "[CONTROLS]\nLINK PU ^-1 AT TIME 1\n", NULL),
    E(CONTROL, VALVES "[CONTROLS]\nLINK ^CV OPEN AT TIME 1\n", "check valve"),
    E(CONTROL, VALVES "[CONTROLS]\nLINK GPV ^5 AT TIME 1\n", NULL),
    E(UNKNOWN_KEYWORD, VALVES "[CONTROLS]\nLINK PRV ^ACTIVE AT TIME 1\n", NULL),
#define THEN "THEN PIPE P2 STATUS IS OPEN\n"
#define IF "IF SYSTEM TIME > 1\n"
    E(MISSING_VALUE, "[RULES]\nRULE^\n" IF THEN, "name"),
    E(RULE, "[RULES]\n^RULE x\n", "IF"),
    E(RULE, "[RULES]\n^RULE x\n" IF, "THEN"),
    E(RULE, "[RULES]\nRULE x\n^" THEN, "order"),
    E(RULE, "[RULES]\nRULE x\n" IF THEN "^OR SYSTEM TIME > 2\n", NULL),
    E(RULE, "[RULES]\nRULE x\n" IF THEN "PRIORITY 1\n^ELSE PIPE P2 STATUS IS CLOSED\n", NULL),
    E(ORPHAN_LINE, "[RULES]\n^" IF, "RULE"),
    E(UNKNOWN_KEYWORD, "[RULES]\nRULE x\n" IF "^THAN PIPE P2 STATUS IS OPEN\n", "THEN"),
    E(UNKNOWN_KEYWORD, "[RULES]\nRULE x\nIF ^TANG T LEVEL > 1\n" THEN, "TANK"),
    E(UNKNOWN_NODE, "[RULES]\nRULE x\nIF TANK ^X LEVEL > 1\n" THEN, NULL),
    E(UNKNOWN_LINK, "[RULES]\nRULE x\nIF PUMP ^X FLOW > 1\n" THEN, NULL),
    E(UNKNOWN_KEYWORD, "[RULES]\nRULE x\nIF TANK T ^LEVL > 1\n" THEN, "LEVEL"),
    E(UNKNOWN_KEYWORD, "[RULES]\nRULE x\nIF TANK T LEVEL ^OVER 1\n" THEN, NULL),
    E(NOT_A_NUMBER, "[RULES]\nRULE x\nIF TANK T LEVEL > ^x\n" THEN, NULL),
    E(UNKNOWN_KEYWORD, "[RULES]\nRULE x\nIF PIPE P2 STATUS IS ^AJAR\n" THEN, NULL),
    E(RULE, "[RULES]\nRULE x\nIF PIPE P2 ^LEVEL > 1\n" THEN, "pipe"),
    E(RULE, "[RULES]\nRULE x\nIF JUNCTION A ^FILLTIME > 1\n" THEN, "junction"),
    E(RULE, "[RULES]\nRULE x\nIF PIPE P2 ^POWER > 1\n" THEN, NULL),
    E(RULE, "[RULES]\nRULE x\nIF SYSTEM ^PRESSURE > 1\n" THEN, NULL),
    E(MISSING_VALUE, "[RULES]\nRULE x\nIF TANK T LEVEL >^\n" THEN, "value"),
    W(WRONG_KIND, "[RULES]\nRULE x\nIF ^TANK A PRESSURE > 1\n" THEN, "junction"),
    W(WRONG_KIND, "[RULES]\nRULE x\n" IF "THEN ^PUMP P2 STATUS IS OPEN\n", "pipe"),
    E(UNKNOWN_LINK, "[RULES]\nRULE x\n" IF "THEN PIPE ^X STATUS IS OPEN\n", NULL),
    E(UNKNOWN_KEYWORD, "[RULES]\nRULE x\n" IF "THEN PIPE P2 STATUS IS ^AJAR\n", NULL),
    E(VALUE_RANGE, PUMP "[RULES]\nRULE x\n" IF "THEN PUMP PU SETTING IS ^-1\n", NULL),
    E(CONTROL, VALVES "[RULES]\nRULE x\n" IF "THEN PIPE ^CV STATUS IS OPEN\n", NULL),
    E(CONTROL, VALVES "[RULES]\nRULE x\n" IF "THEN VALVE GPV SETTING IS ^5\n", NULL),
    E(MISSING_VALUE, "[RULES]\nRULE x\n" IF "THEN PIPE P2 STATUS^\n", NULL),
    E(MISSING_VALUE, "[RULES]\nRULE x\n" IF THEN "PRIORITY^\n", NULL),
    E(NOT_A_NUMBER, "[RULES]\nRULE x\n" IF THEN "PRIORITY ^high\n", NULL),
    E(SYNTAX, "[RULES]\nRULE x\n" IF "THEN PIPE P2 STATUS IS OPEN ^AND\n", NULL),
};

/* ---- Places, by numbers ------------------------------------------------------------------------- */

/* The whole file in the table: columns count characters, a tab is one, whatever the bytes are. */
static const struct {
    const char *text;
    sl_code code;
    sl_severity severity;
    uint32_t line, column, length;
} placed[] = {
    {"[JUNCTIONS]\nA ten\n[RESERVOIRS]\nR 1\n[PIPES]\nP R A 1 1 1\n", SL_CODE_NOT_A_NUMBER, SL_ERROR, 2, 3, 3},
    {"[JUNCTIONS]\n\t\tA\tten\n[RESERVOIRS]\nR 1\n[PIPES]\nP R A 1 1 1\n", SL_CODE_NOT_A_NUMBER, SL_ERROR, 2, 5, 3},
    {"[JUNCTIONS]\nÄÖÜ\tzehn\n[RESERVOIRS]\nR 1\n[PIPES]\nP R ÄÖÜ 1 1 1\n", SL_CODE_NOT_A_NUMBER, SL_ERROR, 2, 5, 4},
    {"[JUNCTIONS]\n水 十\n[RESERVOIRS]\nR 1\n[PIPES]\nP R 水 1 1 1\n", SL_CODE_NOT_A_NUMBER, SL_ERROR, 2, 3, 1},
    {"[JUNCTIONS]\n\xE4\xF6 ten\n[RESERVOIRS]\nR 1\n[PIPES]\nP R \xE4\xF6 1 1 1\n", SL_CODE_NOT_A_NUMBER, SL_ERROR, 2,
     4, 3},
    {"\xEF\xBB\xBF[JUNCTIONS]\nA ten\n[RESERVOIRS]\nR 1\n[PIPES]\nP R A 1 1 1\n", SL_CODE_NOT_A_NUMBER, SL_ERROR, 2, 3,
     3},
    {"[JUNCTIONS]\r\nA ten\r\n[RESERVOIRS]\r\nR 1\r\n[PIPES]\r\nP R A 1 1 1\r\n", SL_CODE_NOT_A_NUMBER, SL_ERROR, 2, 3,
     3},
    {"[JUNCTIONS]\rA ten\r[RESERVOIRS]\rR 1\r[PIPES]\rP R A 1 1 1\r", SL_CODE_NOT_A_NUMBER, SL_ERROR, 2, 3, 3},
    {"[JUNCTIONS]\n\"A b\" \"t e n\"\n[RESERVOIRS]\nR 1\n[PIPES]\nP R \"A b\" 1 1 1\n", SL_CODE_NOT_A_NUMBER, SL_ERROR,
     2, 8, 5},
    {"[JUNCTIONS]\nA 1\n[RESERVOIRS]\nR 1\n[PIPES]\nP R A 1 1 1\n  [NOSUCH]\n", SL_CODE_UNKNOWN_SECTION, SL_WARNING, 7,
     3, 8},
    {"words before\n\nall\n[JUNCTIONS]\nA 1\n[RESERVOIRS]\nR 1\n[PIPES]\nP R A 1 1 1\n", SL_CODE_ORPHAN_LINE,
     SL_WARNING, 1, 1, 5},
    {"[JUNCTIONS]\nA 1\n[RESERVOIRS]\nR 1\n[PIPES]\nP R A 1 1 1  ", SL_CODE_NO_LINE_END, SL_WARNING, 6, 12, 1},
    {"", SL_CODE_NO_SECTIONS, SL_ERROR, 1, 0, 0},
    {"\n\n  \n", SL_CODE_NO_SECTIONS, SL_ERROR, 1, 0, 0},
    {"; a comment\n", SL_CODE_NO_SECTIONS, SL_ERROR, 1, 0, 0},
    {"[JUNCTIONS]\n", SL_CODE_NO_NODES, SL_ERROR, 1, 0, 0},
    {"[JUNCTIONS]\nA 1\nB 1\n[PIPES]\nP A B 1 1 1\n", SL_CODE_NO_SOURCE, SL_ERROR, 1, 0, 0},
};

/* Text without its mark, and where the mark was. */
static char *unmark(const char *text, uint32_t *line, uint32_t *column) {
    char *out = net_framed(text);
    *line = *column = 1;
    for (char *p = out; *p; p++) {
        if (*p == '^') {
            memmove(p, p + 1, strlen(p));
            return out;
        }
        *column += ((unsigned char)*p & 0xC0) != 0x80;
        if (*p == '\n') {
            ++*line;
            *column = 1;
        }
    }
    print_error("no mark in:\n%s\n", text);
    fail();
    return out;
}

static bool is_wrong(net_case *c, const mistake *m, bool tolerant) {
    uint32_t line, column;
    char *text = unmark(m->text, &line, &column);
    sl_network *net = NULL;
    sl_status status = net_try(c, text, tolerant, &net);
    bool refused = m->severity == SL_ERROR && !tolerant;
    const sl_diag *d = sl_diags_size(c->diags) == 1 ? sl_diags_at(c->diags, 0) : NULL;
    bool right = status == (refused ? SL_ERR_INPUT : SL_OK) && (net == NULL) == refused && d && d->code == m->code &&
                 d->severity == m->severity && d->line == line && d->column == column &&
                 strcmp(d->file, "test.inp") == 0 &&
                 (!m->word || strstr(d->text, m->word) || (d->hint && strstr(d->hint, m->word)));
    if (!right) {
        print_error("\n%s\n  expected one %s [%s] at %u:%u with '%s'; status %s, found:\n", m->text,
                    m->severity == SL_ERROR ? "error" : "warning", sl_code_word(m->code), (unsigned)line,
                    (unsigned)column, m->word ? m->word : "", sl_status_text(status));
        net_show(c);
    }
    sl_network_destroy(net);
    free(text);
    return !right;
}

/* Strict and tolerant reading say the same; they differ in what they return. */
static void check_all(const mistake *m, size_t n) {
    int wrong = 0;
    net_case c;
    net_begin(&c);
    for (size_t i = 0; i < n; i++) {
        wrong += is_wrong(&c, &m[i], false) || is_wrong(&c, &m[i], true);
    }
    assert_int_equal(wrong, 0);
    net_end(&c);
}

static void test_nodes(void **state) {
    (void)state;
    check_all(in_nodes, sizeof in_nodes / sizeof *in_nodes);
}

static void test_links(void **state) {
    (void)state;
    check_all(in_links, sizeof in_links / sizeof *in_links);
}

static void test_settings(void **state) {
    (void)state;
    check_all(in_settings, sizeof in_settings / sizeof *in_settings);
}

static void test_controls(void **state) {
    (void)state;
    check_all(in_controls, sizeof in_controls / sizeof *in_controls);
}

static void test_places(void **state) {
    (void)state;
    int wrong = 0;
    net_case c;
    net_begin(&c);
    for (size_t i = 0; i < sizeof placed / sizeof *placed; i++) {
        sl_network *net = NULL;
        net_try(&c, placed[i].text, false, &net);
        sl_network_destroy(net);
        const sl_diag *d = sl_diags_size(c.diags) == 1 ? sl_diags_at(c.diags, 0) : NULL;
        if (!d || d->code != placed[i].code || d->severity != placed[i].severity || d->line != placed[i].line ||
            d->column != placed[i].column || d->length != placed[i].length) {
            print_error("\n%s\n  expected [%s] at %u:%u+%u, found (length %u):\n", placed[i].text,
                        sl_code_word(placed[i].code), placed[i].line, placed[i].column, placed[i].length,
                        d ? d->length : 0);
            net_show(&c);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
    net_end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes),    cmocka_unit_test(test_links),  cmocka_unit_test(test_settings),
        cmocka_unit_test(test_controls), cmocka_unit_test(test_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
