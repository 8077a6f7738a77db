#ifndef DAEDALUS_CLIBPQ_H
#define DAEDALUS_CLIBPQ_H

/* libpq is needed where PostgreSQL is configured, and nowhere else: so it is loaded at first use, and neither it nor its
   headers are needed for a build. What is used of its interface, as its soname promises it, stands here once more. */

typedef struct pg_conn dae_pq_connection;
typedef struct pg_result dae_pq_result;
typedef const char *const *dae_pq_texts;

/* CONNECTION_OK; ExecStatusType, PostgresPollingStatusType, PGTransactionStatusType; PGVerbosity; fields of an error. */
enum { dae_pq_connected = 0 };
enum { dae_pq_empty, dae_pq_done, dae_pq_rows, dae_pq_copy_out, dae_pq_copy_in, dae_pq_bad, dae_pq_notice, dae_pq_error };
enum { dae_pq_poll_failed, dae_pq_poll_reading, dae_pq_poll_writing, dae_pq_poll_ok };
enum { dae_pq_transaction_failed = 3 };
enum { dae_pq_verbose = 2 };
enum { dae_pq_field_sqlstate = 'C', dae_pq_field_message = 'M', dae_pq_field_function = 'R' };

/* F(type, name, parameters, arguments): each stands for the function PQname. */
#define DAE_PQ_FUNCTIONS(F)                                                                                            \
    F(dae_pq_connection *, connectStartParams, (dae_pq_texts names, dae_pq_texts values, int expands),                \
      (names, values, expands))                                                                                        \
    F(int, connectPoll, (dae_pq_connection * c), (c))                                                                  \
    F(void, finish, (dae_pq_connection * c), (c))                                                                      \
    F(int, status, (const dae_pq_connection *c), (c))                                                                  \
    F(int, socket, (const dae_pq_connection *c), (c))                                                                  \
    F(int, transactionStatus, (const dae_pq_connection *c), (c))                                                       \
    F(const char *, errorMessage, (const dae_pq_connection *c), (c))                                                   \
    F(int, setErrorVerbosity, (dae_pq_connection * c, int verbosity), (c, verbosity))                                  \
    F(int, setnonblocking, (dae_pq_connection * c, int on), (c, on))                                                   \
    F(int, sendQuery, (dae_pq_connection * c, const char *sql), (c, sql))                                              \
    F(int, sendPrepare,                                                                                                \
      (dae_pq_connection * c, const char *name, const char *sql, int count, const unsigned *types),                    \
      (c, name, sql, count, types))                                                                                    \
    F(int, sendQueryPrepared,                                                                                          \
      (dae_pq_connection * c, const char *name, int count, dae_pq_texts values, const int *lengths,                    \
       const int *formats, int binary),                                                                                \
      (c, name, count, values, lengths, formats, binary))                                                              \
    F(int, flush, (dae_pq_connection * c), (c))                                                                        \
    F(int, consumeInput, (dae_pq_connection * c), (c))                                                                 \
    F(int, isBusy, (dae_pq_connection * c), (c))                                                                       \
    F(dae_pq_result *, getResult, (dae_pq_connection * c), (c))                                                        \
    F(int, resultStatus, (const dae_pq_result *r), (r))                                                                \
    F(const char *, resultErrorField, (const dae_pq_result *r, int field), (r, field))                                 \
    F(int, ntuples, (const dae_pq_result *r), (r))                                                                     \
    F(int, nfields, (const dae_pq_result *r), (r))                                                                     \
    F(const char *, fname, (const dae_pq_result *r, int column), (r, column))                                          \
    F(unsigned, ftype, (const dae_pq_result *r, int column), (r, column))                                              \
    F(int, getisnull, (const dae_pq_result *r, int row, int column), (r, row, column))                                 \
    F(const char *, getvalue, (const dae_pq_result *r, int row, int column), (r, row, column))                         \
    F(int, getlength, (const dae_pq_result *r, int row, int column), (r, row, column))                                 \
    F(const char *, cmdTuples, (dae_pq_result * r), (r))                                                               \
    F(void, clear, (dae_pq_result * r), (r))                                                                           \
    F(void *, notifies, (dae_pq_connection * c), (c))                                                                  \
    F(void, freemem, (void *memory), (memory))

/* Loads libpq. Gives NULL, or why it cannot be used: a text that lives as long as the thread. To be called once; nothing
   else here may be called before it gave NULL. */
const char *dae_pq_load(void);

#define DAE_PQ_DECLARE(type, name, parameters, arguments) type dae_pq_##name parameters;
DAE_PQ_FUNCTIONS(DAE_PQ_DECLARE)

/* Has notices dropped, which would be written to standard error. */
void dae_pq_silence(dae_pq_connection *c);

#endif
