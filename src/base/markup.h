/* SPDX-License-Identifier: MIT */
/* markup.h: text escaped for HTML and LaTeX, and the heads of pages. HTML is well-formed XML too, and stands alone; LaTeX needs amsmath
 * and nothing else. Bodies and ends are the caller's: </body></html>, \\end{document}.
 */
#ifndef SL_BASE_MARKUP_H
#define SL_BASE_MARKUP_H

#include "base/out.h"

void sl_out_html(sl_out *out, const char *text);
void sl_out_tex(sl_out *out, const char *text);
/* The same of words with numbers in them, whose signs become minus signs. */
void sl_out_html_words(sl_out *out, const char *text);
void sl_out_tex_words(sl_out *out, const char *text);
/* Everything up to the first section: the title, and a line below it. */
void sl_out_html_open(sl_out *out, const char *title, const char *what);
void sl_out_tex_open(sl_out *out, const char *title, const char *what);

#endif
