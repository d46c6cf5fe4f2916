/* SPDX-License-Identifier: MIT */
/* system.h: what an exchange needs of the operating system: a clock, processes, files that appear whole, locks, events.
 *
 * One file for each system: system_posix.c, system_windows.c. Functions that return -1 or false set errno, on Windows too.
 */
#ifndef SL_EXCHANGE_SYSTEM_H
#define SL_EXCHANGE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef intptr_t sl_handle; /* of an open thing */
#define SL_NO_HANDLE ((sl_handle)-1)

/* ---- Clock, processes --------------------------------------------------------------------------- */

double sl_system_now(void); /* a clock that only goes forward [s] */
double sl_system_age(void); /* how long this process has been running [s]; 0: not known */
int64_t sl_system_process(void);
bool sl_system_is_dead(int64_t process); /* for sure */
/* Sees the end of a process, also of a child that nobody has waited for. SL_NO_HANDLE: not possible here. */
sl_handle sl_system_watch(int64_t process);
bool sl_system_has_ended(sl_handle watch);
void sl_system_unwatch(sl_handle watch);

/* ---- Files -------------------------------------------------------------------------------------- */

/* Two equal ones: the same file, unchanged. */
typedef struct sl_disk_stamp {
    uint64_t device, id;
    int64_t size;
    int64_t changed; /* [ns], of some epoch */
} sl_disk_stamp;

/* The part of a path before its file: "a/b.c" has 2, "b.c" none. */
size_t sl_disk_folder(const char *path);
/* A folder, "" for the current one; false: there is none. */
bool sl_disk_is_folder(const char *folder, sl_disk_stamp *stamp);
bool sl_disk_may_create(const char *folder); /* false: for sure not */
bool sl_disk_exists(const char *path);
int64_t sl_disk_changed(const char *path); /* as in the stamp; INT64_MIN: no such file */

/* For reading. EAGAIN: not there, or not to be opened or read just now; EINVAL: not a regular file. */
sl_handle sl_disk_open(const char *path, sl_disk_stamp *stamp);
int64_t sl_disk_read(sl_handle file, char *bytes, size_t n); /* 0: the end */
void sl_disk_close(sl_handle file);

int sl_disk_remove(const char *path);
int sl_disk_rename(const char *from, const char *to, bool replace); /* not replacing: EEXIST when there is one */
/* A file of these bytes appears at path as a whole, or not at all (EEXIST, unless it replaces). Where files can be without names
 * nothing else is seen, whatever ends the process meanwhile. Otherwise, and to replace, there is a file tmp for a moment, with
 * signals blocked in this thread. Safe in a signal handler. */
int sl_disk_publish(const char *path, const char *tmp, const char *bytes, size_t n, bool replace);
/* What the file system of path would stamp a file with now [ns]. tmp: as above. */
int64_t sl_disk_now(const char *path, const char *tmp);
/* Calls `call` with the name of every file in the folder. */
void sl_disk_list(const char *folder, void (*call)(void *user, const char *name), void *user);

/* ---- Locks -------------------------------------------------------------------------------------- */

/* A lock on the name of a file, whether there is such a file or not. The system gives it back when the process ends, whatever
 * ends it, and nothing stays in the folder. SL_NO_HANDLE: no locks here, or, with EEXIST, it is taken. */
sl_handle sl_lock_take(const char *path);
bool sl_lock_is_held(const char *path); /* by whoever has it, in this process or another one */
void sl_lock_release(sl_handle lock);

/* ---- Events ------------------------------------------------------------------------------------- */

/* Of the folders of two files. SL_NO_HANDLE: none are reported here, the caller polls. */
sl_handle sl_events_open(const char *path, const char *other);
void sl_events_drop(sl_handle events); /* those up to now */
/* Until there is one, or the time is over. */
void sl_events_wait(sl_handle events, double seconds);
void sl_events_close(sl_handle events);

#endif
