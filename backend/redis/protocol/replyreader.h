// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/redis/protocol/reply.h"

#include <QByteArrayView>

#include <array>
#include <optional>

namespace lk {

/// Turns bytes into replies (RESP2). What a server announces costs nothing before it has come:
/// memory grows with the bytes received, up to the limits. Arrays may be nested 8 deep. By itself,
/// not by hiredis: that takes three times as long, of which a scan has two replies for each of
/// millions of keys.
class ReplyReader final
{
public:
    /// What a reply may take; above it reading ends with ReplyTooLarge.
    struct Limits
    {
        qint64 maxReplyBytes = 32 * 1024 * 1024; ///< texts of one reply together
        int maxElements = 1'000'000;             ///< elements of one reply together
    };

    /// Feed slices of this size: as much is kept for as long as not all of it has been read.
    static constexpr qint64 sliceBytes = 16 * 1024;

    explicit ReplyReader(Limits limits);
    ReplyReader();

    void feed(QByteArrayView bytes);

    /// Moves the next reply into out: true; false: more bytes are needed. An error (Protocol,
    /// ReplyTooLarge) is final: every later call gives it again.
    Result<bool> next(Reply& out);
    /// What the last whole reply takes in memory, about.
    qint64 lastBytes() const { return m_lastBytes; }

private:
    static constexpr size_t mostOpen = 8;

    /// An array of which elements are still to come.
    struct Open
    {
        Reply* array = nullptr; ///< in m_root
        qint64 missing = 0;     ///< elements
    };
    /// What the unread bytes begin with.
    enum class Found : quint8 { Part, Item, Array };

    Found readItem();
    Found readText(Reply::Type type, QByteArrayView text);
    Found readInteger(qint64 value);
    Found readBulk(qint64 size, const char* content);
    Found readArray(qint64 elements);
    Reply& place();
    bool closeArrays();
    QByteArray shared(QByteArrayView status);
    bool spend(qint64 bytes, qint64 elements);
    Found refuse(const char* from);

    const char* next() const { return m_bytes.constData() + m_read; }
    const char* end() const { return m_bytes.constData() + m_bytes.size(); }

    Limits m_limits;
    QByteArray m_bytes;   ///< that were fed, but for those dropped
    qsizetype m_read = 0; ///< of them
    Reply m_root;         ///< of the reply being read
    std::array<Open, mostOpen> m_open;
    size_t m_opened = 0; ///< of m_open, each within the one before it
    QByteArray m_lastStatus;
    qint64 m_textBytes = 0; ///< of the reply being read, as the next
    qint64 m_elements = 0;
    qint64 m_lastBytes = 0;
    std::optional<Error> m_error;
};

} // namespace lk
