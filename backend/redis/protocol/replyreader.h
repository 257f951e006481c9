// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/redis/protocol/reply.h"

#include <QByteArrayView>

#include <memory>
#include <optional>

struct redisReader;
struct redisReadTask;

namespace lk {

/// Parses bytes into replies (RESP2). An announced size allocates nothing in advance: memory grows
/// with the bytes received, up to the limits. Arrays may be nested 8 deep.
class ReplyReader final
{
public:
    /// Limits on one reply. Reading fails with ReplyTooLarge beyond them.
    struct Limits
    {
        qint64 maxReplyBytes = 32 * 1024 * 1024; ///< texts of one reply together
        int maxElements = 1'000'000;             ///< elements of one reply together
    };

    /// Feed slices of this size: the parser moves what is left of its buffer after each reply.
    static constexpr qint64 sliceBytes = 16 * 1024;

    explicit ReplyReader(Limits limits);
    ReplyReader();
    ~ReplyReader();
    ReplyReader(const ReplyReader&) = delete;
    ReplyReader& operator=(const ReplyReader&) = delete;

    void feed(QByteArrayView bytes);

    /// Moves the next reply into out and returns true. Returns false if more bytes are needed. An
    /// error (Protocol, ReplyTooLarge) is final: every later call returns it again.
    Result<bool> next(Reply& out);
    /// Approximate memory used by the last complete reply, in bytes.
    qint64 lastBytes() const { return m_lastBytes; }

private:
    struct Callbacks;
    struct Free
    {
        void operator()(redisReader* reader) const;
    };

    Reply* place(const redisReadTask* task);
    QByteArray shared(QByteArrayView status);
    bool spend(qint64 bytes, qint64 elements);
    std::optional<Error> oversized();

    Limits m_limits;
    std::unique_ptr<redisReader, Free> m_reader;
    Reply m_root; ///< the root of the reply being read
    QByteArray m_lastStatus;
    QByteArray m_fresh;     ///< fed since the parser asked for more
    QByteArray m_line;      ///< the first line, as far as it has come, of the element being read
    qint64 m_waiting = 0;   ///< bytes of that element that have come
    qint64 m_announced = 0; ///< size of that element if it is a bulk
    qint64 m_bytes = 0;
    qint64 m_elements = 0;
    qint64 m_lastBytes = 0;
    std::optional<Error> m_error;
};

} // namespace lk
