// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/protocol/replyreader.h"

#include "backend/core/names/keyname.h"

#include <QCoreApplication>

#include <hiredis/hiredis.h> // the version
#include <hiredis/read.h>

#include <algorithm>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::ReplyReader)
};

// Longer than any status, error or header line of a real server (bytes).
constexpr qsizetype longestLine = 64 * 1024;

// The most elements to reserve before they arrive.
constexpr qint64 trustedElements = 64;

// The nesting depth that hiredis 0.14 accepts. 1.0 and later have no limit of their own, and a
// reply is destroyed recursively.
constexpr int deepestArray = 8;

// The length's digits in a header. hiredis accepts no shorter form: no sign, no leading zeros.
qint64 digits(quint64 number)
{
    qint64 count = 1;
    for (; number >= 100; number /= 100)
        count += 2;
    return count + (number >= 10);
}

} // namespace

// The table's members and their types differ between hiredis 0.14 and 1.x.
struct ReplyReader::Callbacks
{
    // The reader whose next() runs in this thread, as the table's functions only receive a task.
    static inline thread_local ReplyReader* reading = nullptr;

    static void* string(const redisReadTask* task, char* bytes, size_t size)
    {
        const int type = task->type;
        if (type != REDIS_REPLY_STRING && type != REDIS_REPLY_STATUS && type != REDIS_REPLY_ERROR)
            return refuse();
        ReplyReader* self = reading;
        self->m_waiting -= qint64(size) + 3;
        if (type == REDIS_REPLY_STRING)
            self->m_waiting -= 2 + digits(size);
        if (!self->spend(qint64(size), 0))
            return nullptr;
        Reply* reply = self->place(task);
        reply->type = type == REDIS_REPLY_STATUS  ? Reply::Type::Status
                      : type == REDIS_REPLY_ERROR ? Reply::Type::Error
                                                  : Reply::Type::Bulk;
        reply->text = type == REDIS_REPLY_STATUS
                          ? self->shared(QByteArrayView(bytes, qsizetype(size)))
                          : QByteArray(bytes, qsizetype(size));
        return reply;
    }

    template<typename Count> // int before hiredis 1.0, size_t since
    static void* array(const redisReadTask* task, Count elements)
    {
        if (task->type != REDIS_REPLY_ARRAY)
            return refuse();
        int depth = 1;
        for (const redisReadTask* above = task->parent; above; above = above->parent)
            ++depth;
        if (depth > deepestArray) {
            reading->m_error =
                Error{ErrorCode::Protocol, Text::tr("arrays more than %1 deep").arg(deepestArray)};
            return nullptr;
        }
        reading->m_waiting -= 3 + digits(elements);
        if (!reading->spend(0, qint64(elements)))
            return nullptr;
        Reply* reply = reading->place(task);
        reply->type = Reply::Type::Array;
        reply->items.reserve(size_t(std::min(qint64(elements), trustedElements)));
        return reply;
    }

    static void* integer(const redisReadTask* task, long long value)
    {
        ReplyReader* self = reading;
        self->m_waiting -= value < 0 ? 4 + digits(-quint64(value)) : 3 + digits(quint64(value));
        Reply* reply = self->place(task);
        reply->type = Reply::Type::Integer;
        reply->integer = value;
        return reply;
    }

    static void* nil(const redisReadTask* task)
    {
        if (task->type == REDIS_REPLY_NIL)
            return refuse();
        reading->m_waiting -= 5;
        return reading->place(task);
    }

    // For RESP3, which no connection requests. hiredis parses it since 1.0.
    static void* refuse()
    {
        reading->m_error = Error{ErrorCode::Protocol, Text::tr("a RESP3 type in RESP2")};
        return nullptr;
    }

    // Replies are stored in m_root, which the reader itself clears.
    static void free(void*) {}

#if HIREDIS_MAJOR >= 1
    static void* real(const redisReadTask*, double, char*, size_t)
    {
        return refuse();
    }
    static void* truth(const redisReadTask*, int)
    {
        return refuse();
    }

    static inline redisReplyObjectFunctions table{string, array<size_t>, integer, real,
                                                  nil,    truth,         free};
#else
    static inline redisReplyObjectFunctions table{string, array<int>, integer, nil, free};
#endif
};

void ReplyReader::Free::operator()(redisReader* reader) const
{
    redisReaderFree(reader);
}

ReplyReader::ReplyReader(Limits limits)
    : m_limits(limits)
    , m_reader(redisReaderCreateWithFunctions(&Callbacks::table))
{}

ReplyReader::ReplyReader()
    : ReplyReader(Limits{})
{}

ReplyReader::~ReplyReader() = default;

// Growing a parent moves only its finished children, as the parser fills one path at a time.
Reply* ReplyReader::place(const redisReadTask* task)
{
    if (!task->parent)
        return &m_root;
    return &static_cast<Reply*>(task->parent->obj)->items.emplace_back();
}

// Statuses repeat the same few words, such as "zset" a thousand times.
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
    if (m_error)
        return;
    redisReaderFeed(m_reader.get(), bytes.data(), size_t(bytes.size()));
    m_waiting += bytes.size();
    if (m_waiting > m_announced) // else they are inside a bulk
        m_fresh.append(bytes);
}

// The parser waits for a line's end and for a bulk's last byte without a limit, and hides its
// buffer. The element that it waits for begins where the last one ended.
std::optional<Error> ReplyReader::oversized()
{
    if (m_waiting <= m_fresh.size())
        m_line = m_fresh.last(m_waiting);
    else if (!m_line.contains('\r'))
        m_line.append(m_fresh);
    m_fresh.resize(0);
    m_announced = 0;
    if (const qsizetype end = m_line.indexOf('\r'); end >= 0) {
        m_line.truncate(end + 1);
        if (m_line.startsWith('$'))
            m_announced = std::max(m_line.sliced(1, end - 1).toLongLong(), 0LL);
    }
    if (m_announced > m_limits.maxReplyBytes - m_bytes)
        return Error{ErrorCode::ReplyTooLarge,
                     Text::tr("more than %1 bytes").arg(m_limits.maxReplyBytes)};
    if (m_waiting - m_announced >= longestLine)
        return Error{ErrorCode::ReplyTooLarge,
                     Text::tr("a line of more than %1 bytes").arg(longestLine)};
    return {};
}

Result<bool> ReplyReader::next(Reply& out)
{
    if (m_error)
        return tl::unexpected<Error>(*m_error);
    void* complete = nullptr;
    Callbacks::reading = this;
    const int outcome = redisReaderGetReply(m_reader.get(), &complete);
    if (outcome == REDIS_OK && complete) {
        out = std::move(m_root);
        // Moving swaps texts, so the caller's old text would become part of the next reply.
        m_root.type = Reply::Type::Nil;
        m_root.integer = 0;
        if (!m_root.text.isNull())
            m_root.text = QByteArray();
        m_announced = 0;
        m_lastBytes = m_bytes + m_elements * qint64(sizeof(Reply));
        m_bytes = m_elements = 0;
        return true;
    }
    if (outcome == REDIS_OK)
        m_error = oversized();
    else if (!m_error) // a callback's error is clearer than "out of memory"
        m_error = Error{ErrorCode::Protocol, displayName(redisReaderGetError(m_reader.get()))};
    if (m_error)
        return tl::unexpected<Error>(*m_error);
    return false;
}

} // namespace lk
