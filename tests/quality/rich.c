/* SPDX-License-Identifier: MIT */
/* rich.c: the network of rich.h. */
#include "rich.h"

static const char body[] =
    "[JUNCTIONS]\nJ1 5 2 D\nJ2 5 3 D\nJ3 4 4 E\nJ4 6 3 E\nJ5 6 2\nJ6 5 1 D\nIN 5 -4 E\nEND 5 0\n"
    "[RESERVOIRS]\nR 12\nS 45\n"
    "[TANKS]\nA 40 3 0 6 7\nB 40 3 0 6 8\nC 40 3 0.5 6 9\nD 40 1 0 3.5 5 0 * YES\n"
    "[PIPES]\nP1 J1 J2 400 200 110\nP2 J2 J3 500 150 110\nP3 J3 J4 300 200 110\nP4 J4 J5 450 150 110\nP5 J5 J6 200 150 110\n"
    "P6 J6 J1 600 150 110\nP7 J2 J5 700 100 110\nTA A J2 50 200 120\nTB J3 B 60 200 120\nTC C J4 70 200 120\n"
    "TD J6 D 80 200 120\nPS S J5 900 100 110\nPI IN J3 20 100 110\nPE J4 END 30 80 110\n"
    "[PUMPS]\nPU R J1 HEAD H PATTERN W\n[VALVES]\nV J5 J3 100 TCV 5\n[CURVES]\nH 18 45\n"
    "[PATTERNS]\nD 0.3 1.8 0.1 1.2\nE 1.9 0.2 1.1\nW 1 1 0 1.1 0\nX 1 0 2\n"
    "[EMITTERS]\nJ4 0.05\n[LEAKAGE]\nP1 5 0.1\n"
    "[OPTIONS]\nUNITS LPS\nDEMAND MODEL PDA\nREQUIRED PRESSURE 10\n%s\n"
    "[MIXING]\nA MIXED\nB 2COMP 0.3\nC FIFO\nD LIFO\n"
    "[TIMES]\nDURATION 30\nHYDRAULIC TIMESTEP 1:00\nQUALITY TIMESTEP 0:07\nPATTERN TIMESTEP 2:00\n%s[END]\n";

static const char *const kinds[] = {"QUALITY Chlorine mg/L", "QUALITY AGE", "QUALITY TRACE B"};

static const char chemical[] =
    "[QUALITY]\nR 1.2\nS 0.4\nA 0.8\nB 0.7\nC 0.6\nD 0.5\nJ1 1\nJ3 0.2\n"
    "[SOURCES]\nR SETPOINT 1.5 X\nIN CONCEN 2 X\nJ5 MASS 100\nJ2 FLOWPACED 0.1\nC SETPOINT 0.3\n"
    "[REACTIONS]\nGLOBAL BULK -0.8\nGLOBAL WALL -0.3\nTANK D 0.5\nORDER TANK 1.5\n"
    "LIMITING POTENTIAL 0.1\n";

char *rich_text(int kind, size_t *n) {
    size_t room = sizeof body + sizeof chemical + 64;
    char *text = malloc(room);
    *n = (size_t)snprintf(text, room, body, kinds[kind], kind == 0 ? chemical : "");
    assert_true(*n < room);
    return text;
}

void rich_begin(eps_run *r, int kind, int32_t n_thread, bool exact) {
    sl_eps_def def = sl_eps_default();
    size_t n;
    char *text = rich_text(kind, &n);
    def.reactions = exact ? SL_REACTIONS_EXACT : SL_REACTIONS_EXPLICIT;
    eps_begin_bytes(r, &def, n_thread, text, n);
    free(text);
}
