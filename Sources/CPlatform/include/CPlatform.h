/*
 * The few system calls that Swift does not see, or sees badly, behind an opaque
 * header: only stdint types and names of our own, so that no macro or global of
 * the system's headers reaches Swift. One source file an idea.
 *
 * Functions return -errno on failure unless they say otherwise.
 */
#ifndef SKYROS_CPLATFORM_H
#define SKYROS_CPLATFORM_H

#include <stddef.h>
#include <stdint.h>

#include "CPlatformGzip.h"

/* events.c: waking a poll loop, watching folders. */

/* A non-blocking, close-on-exec eventfd. */
int platform_eventfd(void);
/* Wakes whoever polls the eventfd. Safe from any thread. */
void platform_eventfd_wake(int fd);
/* Takes all pending wake-ups off. */
void platform_eventfd_drain(int fd);

/* A non-blocking, close-on-exec inotify descriptor. */
int platform_inotify(void);
/* Watches a file or folder for: written, closed after writing, created, moved,
 * deleted. Returns the watch's number. */
int platform_inotify_watch(int fd, const char *path);
/* Throws away the events that have arrived; returns how many bytes they took. */
int platform_inotify_drain(int fd);

/* Waits for the descriptors, as poll(2) does. events and ready are the bits
 * below. Returns how many are ready, 0 after the time-out (or a signal). */
#define PLATFORM_READABLE 1u
#define PLATFORM_WRITABLE 2u
#define PLATFORM_CLOSED 4u
typedef struct {
  int fd;
  uint32_t events;
  uint32_t ready;
} platform_poll_entry;
int platform_poll(platform_poll_entry *entries, size_t count, int64_t timeout_ns);
/* Nanoseconds of a clock that never jumps. */
uint64_t platform_monotonic_ns(void);
/* A number that names the calling thread. Never 0. */
uint64_t platform_thread_id(void);
/* Starts a detached thread of that name. */
int platform_thread_start(const char *name, void (*body)(void *), void *context);

/* text.c: columns of text. */

/* Columns of a scalar as glibc's wcwidth counts them in a UTF-8 locale, whatever
 * the locale of the process: 0, 1, 2, or -1 for what has no known width. */
int platform_wcwidth(uint32_t scalar);
/* Takes the user's locale for character types. Returns 1 when it is UTF-8. */
int platform_adopt_locale(void);
/* Takes a UTF-8 locale whatever the user's is. Returns 1 when there is one. */
int platform_assume_utf8(void);
/* A copy of a C string, and its end. */
char *platform_copy_text(const char *text);
void platform_free_text(const char *text);

/* terminal.c: the controlling terminal. */

int platform_is_terminal(int fd);
int platform_window_size(int fd, int *columns, int *rows);
/* Remembers the terminal's modes, to be restored by platform_terminal_restore
 * and by the crash handler. */
int platform_terminal_save(int fd);
/* Raw: no echo, no signals from keys, no flow control. */
int platform_terminal_raw(int fd);
int platform_terminal_restore(int fd);
/* An unnamed file in memory, close-on-exec. */
int platform_memory_file(const char *name);
/* Reads a file in memory whole and empties it. Without a buffer: returns its size. */
int64_t platform_take_file(int fd, void *buffer, size_t capacity);
/* Copies fd to a free number, close-on-exec. */
int platform_duplicate(int fd);
/* Makes `number` mean what `fd` means. */
int platform_redirect(int fd, int number);
/* Writes all, through interruptions. Returns how many write calls it took. */
int platform_write_all(int fd, const void *bytes, size_t count);
/* Writes to standard error, past all buffers. */
void platform_complain(const char *text);

/* signals.c: signals as bytes in a pipe, and the last words of a crash. */

/* From now on TERM, HUP, INT, QUIT, WINCH, CONT, TSTP, CHLD write one byte (the signal's
 * number) into a pipe, whose reading end is returned. */
int platform_signals_watch(void);
/* Default actions again, for a child or for stopping. */
void platform_signals_release(void);
/* Stops this process group as ^Z does, and returns when it continues. The
 * watched signals are watched again. */
void platform_stop_self(void);
/* Stops this process alone, and returns when it continues. */
void platform_stop_alone(void);
/* Ends this process by that signal's default action. */
void platform_die_by(int signal);
enum {
  PLATFORM_HUP = 1,
  PLATFORM_INT = 2,
  PLATFORM_QUIT = 3,
  PLATFORM_TERM = 15,
  PLATFORM_CHLD = 17,
  PLATFORM_CONT = 18,
  PLATFORM_TSTP = 20,
  PLATFORM_WINCH = 28
};

/* Arms the crash handler: on SEGV, BUS, ILL, TRAP, ABRT, FPE it writes `reset` to the
 * terminal, restores the saved modes, copies what was written to `log_fd`
 * since arming to `stderr_fd`, and lets the process die of the signal. */
int platform_crash_arm(
  int terminal_fd, const char *reset, size_t count, int log_fd, int stderr_fd);
void platform_crash_disarm(void);
/* Gives the calling thread a stack of its own for the crash handler. */
void platform_crash_stack(void);

/* files.c: small private files. */

/* Makes and opens a file of mode 0600; the XXXXXX before the suffix become its name. */
int platform_make_private_file(char *path_template, int suffix_count);
int platform_open_to_read(const char *path);
int64_t platform_file_size(int fd);
int platform_remove(const char *path);

/* process.c: children. */

/* Runs argv[0] (found through PATH) on the given descriptors, in this process
 * group. Returns the process id. */
int platform_spawn(const char *const *argv, int in, int out, int err);
/* Waits for it. Returns the exit status, or 128 + signal. */
int platform_wait(int pid);
/* Runs argv[0] as the leader of a session on a new pseudo-terminal. environment
 * is complete ("NAME=value"). Returns the process id and the controlling side. */
int platform_pty_spawn(
  const char *const *argv, const char *const *environment, const char *folder,
  int columns, int rows, int *control);
int platform_pty_resize(int control, int columns, int rows);
int platform_send_signal(int pid, int signal);
/* Exit status, 128 + signal, or -1 while it still runs. */
int platform_wait_now(int pid);
/* Reads what is there; 0 at the end, -EAGAIN when nothing is. */
int64_t platform_read(int fd, void *buffer, size_t count);
void platform_close(int fd);

#endif
