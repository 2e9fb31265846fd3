// The screen on ncursesw. One thread only. Output goes to a descriptor of the
// caller's (a file in memory), so that a frame can be sent in one write. Input is not read here:
// typeahead(-1) keeps curses from looking at it and abandoning frames.

#include "CNCurses.h"

#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe.h"

static SCREEN *screen;
static FILE *output;
static FILE *input;
static int has_colour;
static int cursor_shown = -1;

int cncurses_open(
  const char *terminal, int out_fd, int in_fd, int columns, int rows, int uses_colour) {
  // Never initscr: it ends the process when it does not know the terminal.
  int verdict = cncurses_probe(terminal, out_fd);
  if (verdict != CNCURSES_OPENED) return verdict;
  output = fdopen(dup(out_fd), "w");
  input = fdopen(dup(in_fd), "r");
  if (!output || !input) return CNCURSES_NO_MEMORY;
  // With use_env(FALSE) newterm fails where the entry names no size (linux): it falls back to
  // 24 by 80 only without. The real size follows at once.
  screen = newterm(terminal, output, input);
  if (!screen) return CNCURSES_UNKNOWN;
  set_term(screen);
  typeahead(-1);
  noecho();
  nonl();
  raw();
  leaveok(stdscr, FALSE);
  scrollok(stdscr, FALSE);
  has_colour = uses_colour && has_colors() && start_color() == OK &&
               use_default_colors() == OK;
  cursor_shown = -1;
  cncurses_resize(columns, rows);
  return CNCURSES_OPENED;
}

void cncurses_close(void) {
  if (!screen) return;
  endwin();
  delscreen(screen);
  fclose(output);
  fclose(input);
  screen = NULL;
}

int cncurses_colours(void) { return has_colour ? COLORS : 0; }

void cncurses_resize(int columns, int rows) {
  // This queues KEY_RESIZE for a getch that nobody calls.
  if (columns > 0 && rows > 0) resizeterm(rows, columns);
}

static attr_t attributes_of(uint8_t bits) {
  attr_t attributes = A_NORMAL;
  if (bits & CNCURSES_BOLD) attributes |= A_BOLD;
  if (bits & CNCURSES_DIM) attributes |= A_DIM;
  if (bits & CNCURSES_ITALIC) attributes |= A_ITALIC;
  if (bits & CNCURSES_UNDERLINE) attributes |= A_UNDERLINE;
  if (bits & CNCURSES_REVERSE) attributes |= A_REVERSE;
  return attributes;
}

static int pair_of(const cncurses_cell *cell) {
  if (!has_colour || (cell->foreground < 0 && cell->background < 0)) return 0;
  int pair = alloc_pair(cell->foreground, cell->background);
  return pair < 0 ? 0 : pair;
}

void cncurses_put(int row, int column, const cncurses_cell *cells, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const cncurses_cell *cell = &cells[i];
    if (cell->columns == 0) continue;
    wchar_t text[CCHARW_MAX + 1] = {(wchar_t)cell->base};
    for (int mark = 0; mark < CCHARW_MAX - 1 && mark < 4 && cell->marks[mark]; mark++)
      text[mark + 1] = (wchar_t)cell->marks[mark];
    int pair = pair_of(cell);
    cchar_t glyph;
    // The colour pair goes by the last argument: the short one ends at 32767.
    if (setcchar(&glyph, text, attributes_of(cell->attributes), 0, &pair) != OK) continue;
    mvadd_wchnstr(row, column + (int)i, &glyph, 1);
  }
}

void cncurses_blank(void) { erase(); }

void cncurses_forget(void) {
  clearok(curscr, TRUE);
  cursor_shown = -1;
}

void cncurses_update(int row, int column, int is_cursor_visible) {
  move(row, column);
  if (cursor_shown != is_cursor_visible) {
    curs_set(is_cursor_visible ? 1 : 0);
    cursor_shown = is_cursor_visible;
  }
  wnoutrefresh(stdscr);
  doupdate();
  fflush(output);
}

void cncurses_leave(void) {
  endwin();
  fflush(output);
  cursor_shown = -1;
}

int cncurses_read(int row, int column, uint32_t *scalars) {
  cchar_t glyph;
  if (mvin_wch(row, column, &glyph) != OK) return 0;
  wchar_t text[CCHARW_MAX + 1] = {0};
  attr_t attributes;
  short pair;
  if (getcchar(&glyph, text, &attributes, &pair, NULL) != OK) return 0;
  int count = 0;
  while (count < CCHARW_MAX && text[count]) {
    scalars[count] = (uint32_t)text[count];
    count++;
  }
  return count;
}
