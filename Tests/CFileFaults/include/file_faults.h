// Makes the n-th file operation under a folder fail, for tests: the functions of libc that change
// files are defined anew in the test program, which all libraries in it then call, SQLite too.
#ifndef FILE_FAULTS_H
#define FILE_FAULTS_H

/// From now on counts operations on files under `folder`; the one of that number, from 1, fails with
/// ENOSPC. Zero: none fails.
void file_faults_arm(const char *folder, int failing);

/// Stops counting; answers how many operations there were.
int file_faults_disarm(void);

#endif
