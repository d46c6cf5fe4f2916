/* SPDX-License-Identifier: MIT */
/* system_windows.c: what an exchange needs of Windows.
 *
 * A lock is an open file <path>.lock that nobody else may write to; the system deletes it when its owner ends, whatever ends
 * it. Files that others have open cannot be deleted or renamed: such calls are tried for a second. Names are in the code page
 * of the process. There are no events of folders: the caller polls.
 */
#include "exchange/system.h"

#include <errno.h>
#include <string.h>
#include <windows.h>

enum { PATH = 1024, ATTEMPTS = 100, PAUSE = 10 /* ms */ };

/* ---- Clock, processes --------------------------------------------------------------------------- */

static int64_t nanoseconds(FILETIME t) { /* which counts 100 ns */
    return (int64_t)(((uint64_t)t.dwHighDateTime << 32 | t.dwLowDateTime) * 100);
}

static int64_t wall(void) {
    FILETIME t;
    GetSystemTimeAsFileTime(&t);
    return nanoseconds(t);
}

double sl_system_now(void) {
    LARGE_INTEGER count, frequency;
    (void)QueryPerformanceCounter(&count);
    (void)QueryPerformanceFrequency(&frequency);
    return (double)count.QuadPart / (double)frequency.QuadPart;
}

double sl_system_age(void) {
    FILETIME begin, end, kernel, user;
    bool known = GetProcessTimes(GetCurrentProcess(), &begin, &end, &kernel, &user);
    double age = known ? 1e-9 * (double)(wall() - nanoseconds(begin)) : 0;
    return age > 0 ? age : 0;
}

int64_t sl_system_process(void) {
    return GetCurrentProcessId();
}

bool sl_system_is_dead(int64_t process) {
    HANDLE h = OpenProcess(SYNCHRONIZE, FALSE, (DWORD)process);
    if (!h) {
        return GetLastError() == ERROR_INVALID_PARAMETER;
    }
    bool dead = WaitForSingleObject(h, 0) == WAIT_OBJECT_0;
    (void)CloseHandle(h);
    return dead;
}

sl_handle sl_system_watch(int64_t process) {
    HANDLE h = OpenProcess(SYNCHRONIZE, FALSE, (DWORD)process);
    return h ? (sl_handle)h : SL_NO_HANDLE;
}

bool sl_system_has_ended(sl_handle watch) {
    return WaitForSingleObject((HANDLE)watch, 0) == WAIT_OBJECT_0;
}

void sl_system_unwatch(sl_handle watch) {
    (void)CloseHandle((HANDLE)watch);
}

/* ---- Names and stamps --------------------------------------------------------------------------- */

/* errno from the system's own; returns -1. */
static int failed(void) {
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND: errno = ENOENT; break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS: errno = EEXIST; break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION: errno = EACCES; break;
    case ERROR_DISK_FULL: errno = ENOSPC; break;
    default: errno = EIO;
    }
    return -1;
}

size_t sl_disk_folder(const char *path) {
    size_t n = 0;
    for (size_t i = 0; path[i]; i++) {
        if (path[i] == '/' || path[i] == '\\' || path[i] == ':') {
            n = i + 1;
        }
    }
    return n;
}

static bool stamp_of(HANDLE h, sl_disk_stamp *stamp, DWORD *attributes) {
    BY_HANDLE_FILE_INFORMATION info;
    if (!GetFileInformationByHandle(h, &info)) {
        return false;
    }
    *attributes = info.dwFileAttributes;
    *stamp = (sl_disk_stamp){info.dwVolumeSerialNumber, (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow,
                             (int64_t)((uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow),
                             nanoseconds(info.ftLastWriteTime)};
    return true;
}

enum { EVERYBODY = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE };

bool sl_disk_is_folder(const char *folder, sl_disk_stamp *stamp) {
    DWORD attributes = 0;
    HANDLE h = CreateFileA(*folder ? folder : ".", 0, EVERYBODY, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    bool is = h != INVALID_HANDLE_VALUE && stamp_of(h, stamp, &attributes) && (attributes & FILE_ATTRIBUTE_DIRECTORY);
    if (h != INVALID_HANDLE_VALUE) {
        (void)CloseHandle(h);
    }
    return is;
}

bool sl_disk_may_create(const char *folder) { /* the first message will tell */
    (void)folder;
    return true;
}

/* A file that is deleted while somebody has it open still counts. */
bool sl_disk_exists(const char *path) {
    return GetFileAttributesA(path) != INVALID_FILE_ATTRIBUTES || (failed(), errno != ENOENT);
}

int64_t sl_disk_changed(const char *path) {
    WIN32_FILE_ATTRIBUTE_DATA data;
    return GetFileAttributesExA(path, GetFileExInfoStandard, &data) ? nanoseconds(data.ftLastWriteTime) : INT64_MIN;
}

static bool join(char out[PATH], const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    if (n + m >= PATH) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(out, a, n);
    memcpy(out + n, b, m + 1);
    return true;
}

void sl_disk_list(const char *folder, void (*call)(void *user, const char *name), void *user) {
    char pattern[PATH];
    WIN32_FIND_DATAA found;
    HANDLE h = join(pattern, folder, "*") ? FindFirstFileA(pattern, &found) : INVALID_HANDLE_VALUE;
    if (h != INVALID_HANDLE_VALUE) {
        do {
            call(user, found.cFileName);
        } while (FindNextFileA(h, &found));
        (void)FindClose(h);
    }
}

/* ---- Reading ------------------------------------------------------------------------------------ */

sl_handle sl_disk_open(const char *path, sl_disk_stamp *stamp) {
    DWORD attributes = 0;
    HANDLE h = CreateFileA(path, GENERIC_READ, EVERYBODY, NULL, OPEN_EXISTING, 0, NULL);
    if (h == INVALID_HANDLE_VALUE) {
        DWORD kind = GetFileAttributesA(path);
        bool folder = kind != INVALID_FILE_ATTRIBUTES && (kind & FILE_ATTRIBUTE_DIRECTORY);
        (void)failed();
        errno = folder ? EINVAL : errno == ENOENT || errno == EACCES ? EAGAIN : errno;
        return SL_NO_HANDLE;
    }
    if (!stamp_of(h, stamp, &attributes) || (attributes & FILE_ATTRIBUTE_DIRECTORY)) {
        (void)CloseHandle(h);
        errno = EINVAL;
        return SL_NO_HANDLE;
    }
    return (sl_handle)h;
}

int64_t sl_disk_read(sl_handle file, char *bytes, size_t n) {
    DWORD done = 0;
    if (!ReadFile((HANDLE)file, bytes, n < 1 << 30 ? (DWORD)n : 1 << 30, &done, NULL)) {
        (void)failed();
        errno = errno == EACCES ? EAGAIN : errno; /* a part that its writer has locked */
        return -1;
    }
    return done;
}

void sl_disk_close(sl_handle file) {
    (void)CloseHandle((HANDLE)file);
}

/* ---- Writing ------------------------------------------------------------------------------------ */

/* Waits a moment if somebody has the file open. */
static bool try_again(int *attempt) {
    DWORD why = GetLastError();
    bool again = (why == ERROR_SHARING_VIOLATION || why == ERROR_ACCESS_DENIED) && ++*attempt < ATTEMPTS;
    if (again) {
        Sleep(PAUSE);
    }
    SetLastError(why);
    return again;
}

int sl_disk_remove(const char *path) {
    int attempt = 0;
    do {
        if (DeleteFileA(path)) {
            return 0;
        }
    } while (try_again(&attempt));
    return failed();
}

int sl_disk_rename(const char *from, const char *to, bool replace) {
    int attempt = 0;
    do {
        if (MoveFileExA(from, to, replace ? MOVEFILE_REPLACE_EXISTING : 0)) {
            return 0;
        }
        DWORD why = GetLastError();
        if (!replace && sl_disk_exists(to)) {
            errno = EEXIST;
            return -1;
        }
        SetLastError(why);
    } while (try_again(&attempt));
    return failed();
}

static bool write_all(HANDLE h, const char *bytes, size_t n) {
    DWORD done = 0;
    while (n > 0 && WriteFile(h, bytes, n < 1 << 30 ? (DWORD)n : 1 << 30, &done, NULL)) {
        bytes += done;
        n -= done;
    }
    return n == 0;
}

int sl_disk_publish(const char *path, const char *tmp, const char *bytes, size_t n, bool replace) {
    if (!replace && sl_disk_exists(path)) {
        errno = EEXIST;
        return -1;
    }
    HANDLE h = CreateFileA(tmp, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL);
    if (h == INVALID_HANDLE_VALUE) {
        return failed();
    }
    int code = write_all(h, bytes, n) ? 0 : failed();
    (void)CloseHandle(h);
    code = code == 0 ? sl_disk_rename(tmp, path, replace) : code;
    if (code != 0) {
        int why = errno;
        (void)DeleteFileA(tmp);
        errno = why;
    }
    return code;
}

int64_t sl_disk_now(const char *path, const char *tmp) {
    (void)path;
    (void)tmp;
    return wall();
}

/* ---- Locks -------------------------------------------------------------------------------------- */

static HANDLE open_lock(const char *path, DWORD share, DWORD create, DWORD flags) {
    char name[PATH];
    return join(name, path, ".lock") ? CreateFileA(name, GENERIC_WRITE, share, NULL, create, flags, NULL)
                                     : INVALID_HANDLE_VALUE;
}

sl_handle sl_lock_take(const char *path) {
    HANDLE h = open_lock(path, FILE_SHARE_READ | FILE_SHARE_DELETE, OPEN_ALWAYS, FILE_FLAG_DELETE_ON_CLOSE);
    if (h != INVALID_HANDLE_VALUE) {
        return (sl_handle)h;
    }
    errno = GetLastError() == ERROR_SHARING_VIOLATION ? EEXIST : ENOLCK;
    return SL_NO_HANDLE;
}

bool sl_lock_is_held(const char *path) {
    HANDLE h = open_lock(path, EVERYBODY, OPEN_EXISTING, 0);
    if (h != INVALID_HANDLE_VALUE) {
        (void)CloseHandle(h);
        return false;
    }
    return GetLastError() == ERROR_SHARING_VIOLATION;
}

void sl_lock_release(sl_handle lock) {
    (void)CloseHandle((HANDLE)lock);
}

/* ---- Events ------------------------------------------------------------------------------------- */

sl_handle sl_events_open(const char *path, const char *other) {
    (void)path;
    (void)other;
    return SL_NO_HANDLE;
}

void sl_events_drop(sl_handle events) {
    (void)events;
}

void sl_events_wait(sl_handle events, double seconds) {
    (void)events;
    Sleep((DWORD)(1000 * seconds) + 1);
}

void sl_events_close(sl_handle events) {
    (void)events;
}
