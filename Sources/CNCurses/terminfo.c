// What terminfo says, apart from screen.c: term.h makes macros of words such as columns.

#include "CNCurses.h"

#include <curses.h>
#include <string.h>
#include <term.h>

#include "probe.h"

int cncurses_probe(const char *terminal, int fd) {
  int status = 0;
  if (setupterm(terminal, fd, &status) != OK) return CNCURSES_UNKNOWN;
  const char *place = tigetstr("cup");
  int is_usable = place && place != (const char *)-1 && *place;
  del_curterm(cur_term);
  return is_usable ? CNCURSES_OPENED : CNCURSES_TOO_SIMPLE;
}

// A capability without its padding, which is written $<5>.
static size_t append_capability(char *buffer, size_t used, size_t capacity, const char *name) {
  const char *text = tigetstr(name);
  if (!text || text == (const char *)-1) return used;
  while (*text) {
    if (text[0] == '$' && text[1] == '<') {
      const char *end = strchr(text, '>');
      if (end) {
        text = end + 1;
        continue;
      }
    }
    if (used + 1 >= capacity) return used;
    buffer[used++] = *text++;
  }
  return used;
}

int cncurses_has_other_screen(void) {
  const char *text = tigetstr("rmcup");
  return text && text != (const char *)-1 && *text;
}

size_t cncurses_reset_sequence(char *buffer, size_t capacity) {
  size_t used = 0;
  const char *const names[] = {"sgr0", "op", "cnorm", "rmcup"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    used = append_capability(buffer, used, capacity, names[i]);
  return used;
}
