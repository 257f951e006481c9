// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/protocol/replyreader.h"

#include "backend/core/names/keyname.h"

#include <QCoreApplication>

#include <hiredis/read.h>

#include <algorithm>
#include <cstring>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::ReplyReader)
};

// No status, error or header line of a real server comes near this (bytes).
constexpr size_t longestLine = 64 * 1024;

// Elements reserved on the word of a header alone.
constexpr int trustedElements = 64;

} // namespace

struct ReplyReader::Callbacks
{
    static ReplyReader* self(const redisReadTask* task)
    {
        return static_cast<ReplyReader*>(task->privdata);
    }

    static void* string(const redisReadTask* task, char* bytes, size_t size)
    {
        if (!self(task)->spend(qint64(size), 0))
            return nullptr;
        Reply* reply = self(task)->place(task);
        reply->type = task->type == REDIS_REPLY_STATUS  ? Reply::Type::Status
                      : task->type == REDIS_REPLY_ERROR ? Reply::Type::Error
                                                        : Reply::Type::Bulk;
        reply->text = task->type == REDIS_REPLY_STATUS
                          ? self(task)->shared(QByteArrayView(bytes, qsizetype(size)))
                          : QByteArray(bytes, qsizetype(size));
        return reply;
    }

    static void* array(const redisReadTask* task, int elements)
    {
        if (!self(task)->spend(0, elements))
            return nullptr;
        Reply* reply = self(task)->place(task);
        reply->type = Reply::Type::Array;
        reply->items.reserve(size_t(std::min(elements, trustedElements)));
        return reply;
    }

    static void* integer(const redisReadTask* task, long long value)
    {
        Reply* reply = self(task)->place(task);
        reply->type = Reply::Type::Integer;
        reply->integer = value;
        return reply;
    }

    static void* nil(const redisReadTask* task) { return self(task)->place(task); }

    // Replies live in m_root, which the reader itself clears.
    static void free(void*) {}

    static inline redisReplyObjectFunctions table{string, array, integer, nil, free};
};

void ReplyReader::Free::operator()(redisReader* reader) const
{
    redisReaderFree(reader);
}

ReplyReader::ReplyReader(Limits limits)
    : m_limits(limits)
    , m_reader(redisReaderCreateWithFunctions(&Callbacks::table))
{
    m_reader->privdata = this;
}

ReplyReader::ReplyReader()
    : ReplyReader(Limits{})
{}

ReplyReader::~ReplyReader() = default;

// Growing a parent moves only its finished children: the parser fills one path at a time.
Reply* ReplyReader::place(const redisReadTask* task)
{
    if (!task->parent) {
        m_root = Reply();
        return &m_root;
    }
    return &static_cast<Reply*>(task->parent->obj)->items.emplace_back();
}

// Statuses come in rows of the same few words: "zset" a thousand times over.
QByteArray ReplyReader::shared(QByteArrayView status)
{
    if (m_lastStatus != status)
        m_lastStatus = status.toByteArray();
    return m_lastStatus;
}

bool ReplyReader::spend(qint64 bytes, qint64 elements)
{
    m_bytes += bytes;
    m_elements += elements;
    if (m_bytes > m_limits.maxReplyBytes) {
        m_error = Error{ErrorCode::ReplyTooLarge,
                        Text::tr("more than %1 bytes").arg(m_limits.maxReplyBytes)};
    } else if (m_elements > m_limits.maxElements) {
        m_error = Error{ErrorCode::ReplyTooLarge,
                        Text::tr("more than %1 elements").arg(m_limits.maxElements)};
    }
    return !m_error;
}

void ReplyReader::feed(QByteArrayView bytes)
{
    if (!m_error)
        redisReaderFeed(m_reader.get(), bytes.data(), size_t(bytes.size()));
}

// The parser waits for a line's end and for a bulk's last byte without asking how far that is.
std::optional<Error> ReplyReader::oversizedHeader() const
{
    const size_t waiting = m_reader->len - m_reader->pos;
    if (waiting == 0)
        return {};
    const char* line = m_reader->buf + m_reader->pos;
    const void* end = std::memchr(line, '\r', std::min(waiting, longestLine));
    if (!end) {
        if (waiting < longestLine)
            return {};
        return Error{ErrorCode::ReplyTooLarge,
                     Text::tr("a line of more than %1 bytes").arg(longestLine)};
    }
    // The type's byte has been taken off already.
    if (m_reader->ridx < 0 || m_reader->rstack[m_reader->ridx].type != REDIS_REPLY_STRING)
        return {};
    const char* stop = static_cast<const char*>(end);
    const qint64 announced = QByteArray(line, qsizetype(stop - line)).toLongLong();
    if (announced > m_limits.maxReplyBytes - m_bytes)
        return Error{ErrorCode::ReplyTooLarge,
                     Text::tr("more than %1 bytes").arg(m_limits.maxReplyBytes)};
    return {};
}

Result<bool> ReplyReader::next(Reply& out)
{
    if (m_error)
        return tl::unexpected<Error>(*m_error);
    void* complete = nullptr;
    const int outcome = redisReaderGetReply(m_reader.get(), &complete);
    if (outcome == REDIS_OK && complete) {
        out = std::move(m_root);
        m_lastBytes = m_bytes + m_elements * qint64(sizeof(Reply));
        m_bytes = m_elements = 0;
        return true;
    }
    if (outcome == REDIS_OK)
        m_error = oversizedHeader();
    else if (!m_error) // a limit that a callback met says more than the parser's "out of memory"
        m_error = Error{ErrorCode::Protocol, displayName(m_reader->errstr)};
    if (m_error)
        return tl::unexpected<Error>(*m_error);
    return false;
}

} // namespace lk
