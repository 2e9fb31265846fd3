// Not for Swift.
#ifndef SKYROS_CNCURSES_PROBE_H
#define SKYROS_CNCURSES_PROBE_H

/* Whether a terminal of that name can be drawn on. */
int cncurses_probe(const char *terminal, int fd);

#endif
