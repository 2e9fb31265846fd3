/*
 * The only door to ncursesw. Opaque on purpose: curses' macros, globals and one-word
 * functions (move, erase, filter, …) never reach Swift.
 *
 * One thread only: curses has process-wide state and no locks.
 */
#ifndef SKYROS_CNCURSES_H
#define SKYROS_CNCURSES_H

#include <stddef.h>
#include <stdint.h>

enum {
  CNCURSES_BOLD = 1,
  CNCURSES_DIM = 2,
  CNCURSES_ITALIC = 4,
  CNCURSES_UNDERLINE = 8,
  CNCURSES_REVERSE = 16
};

enum {
  CNCURSES_OPENED = 0,
  /* No terminfo entry of that name. */
  CNCURSES_UNKNOWN = -1,
  /* The entry can't place the cursor: nothing can be drawn. */
  CNCURSES_TOO_SIMPLE = -2,
  CNCURSES_NO_MEMORY = -3
};

/* What one cell holds. Colours: -1 is the terminal's own. */
typedef struct {
  uint32_t base;
  uint32_t marks[4];
  uint8_t columns;
  uint8_t attributes;
  int16_t foreground;
  int16_t background;
} cncurses_cell;

/* Begins a screen whose output goes to out_fd. Nothing is written to the terminal. */
int cncurses_open(
  const char *terminal, int out_fd, int in_fd, int columns, int rows, int uses_colour);
/* Ends it for good. */
void cncurses_close(void);
/* How many colours can be used; 0 for none. */
int cncurses_colours(void);
void cncurses_resize(int columns, int rows);
/* Puts cells into the picture, from that column on. Right halves of wide glyphs
 * (columns 0) are skipped. */
void cncurses_put(int row, int column, const cncurses_cell *cells, size_t count);
/* Blanks the picture. */
void cncurses_blank(void);
/* The next frame is sent whole. */
void cncurses_forget(void);
/* Sends what changed since the last frame, and leaves the cursor there. */
void cncurses_update(int row, int column, int is_cursor_visible);
/* Sends what gives the screen back to the shell; the next update takes it again. */
void cncurses_leave(void);
/* Whether the terminal has a screen of its own for programs, so that the shell's comes back. */
int cncurses_has_other_screen(void);
/* The sequences that give the screen back, for a crash handler. Returns the count. */
size_t cncurses_reset_sequence(char *buffer, size_t capacity);
/* The scalars of a cell of the picture, for tests. Returns how many, at most 5. */
int cncurses_read(int row, int column, uint32_t *scalars);

#endif
