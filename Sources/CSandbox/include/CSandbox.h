#ifndef DAEDALUS_CSANDBOX_H
#define DAEDALUS_CSANDBOX_H

#include <stdint.h>

/* What Linux offers a process that wants to give up what it may do, for itself and for good. Swift cannot call these:
 * the C library has no functions for them. All return a negative errno where they fail, and need no privileges.
 *
 * Landlock and the capabilities are the calling thread's, and of those that it starts later: they are to be given up before
 * there is a second thread. */

/* The version of Landlock's interface that the kernel has; 0 where it has none. */
int daed_landlock_version(void);

/* Whether the kernel takes filters of system calls: 1 or 0. */
int daed_seccomp_is_available(void);

/* No program that it may start gives it more than it has. Landlock and the filter ask for that. */
int daed_set_no_new_privileges(void);

/* Keeps one capability at most: to use files whatever their mode, where it had that. */
int daed_drop_capabilities(void);

/* What may be done with a file, or with all that is below a folder. */
enum daed_access {
    DAED_ACCESS_READ,
    /* To read and to write what is there. */
    DAED_ACCESS_UPDATE,
    /* To make and to remove files and folders, too. */
    DAED_ACCESS_OWN,
};

/* Which connections may be opened by TCP. */
enum daed_ports {
    DAED_PORTS_NONE,
    /* Those of rules. */
    DAED_PORTS_NAMED,
    DAED_PORTS_ANY,
};

/* Begins rules, of which a file descriptor is given. */
int daed_landlock_begin(int version, enum daed_ports ports);

/* A path that is not there needs no rule, which is no error. */
int daed_landlock_allow(int rules, int version, const char *path, enum daed_access access);
int daed_landlock_allow_port(int rules, uint16_t port);

/* Lets the rules hold from now on, and closes their descriptor. */
int daed_landlock_restrict(int rules);

/* Which sockets may be made. */
enum daed_sockets {
    DAED_SOCKETS_NONE,
    /* Of the Internet, and what looking up names needs. */
    DAED_SOCKETS_INTERNET,
};

/* Refuses all system calls from now on that are not in the table, of all threads. */
int daed_filter_system_calls(enum daed_sockets sockets);

/* Attacks, for the program's test of itself: a C library's own functions for them do more than the one call. */
int daed_try_fork(void);
int daed_try_exec(void);
int daed_try_trace(int process);
int daed_try_mount(void);
/* Sockets by which something can be sent to others of this machine. */
int daed_try_pair(void);

#endif
