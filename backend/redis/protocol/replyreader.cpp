// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/protocol/replyreader.h"

#include "backend/core/names/keyname.h"

#include <QCoreApplication>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::ReplyReader)
};

// No status, error or header line of a real server comes near this (bytes).
constexpr qsizetype longestLine = 64 * 1024;

// Elements reserved on the word of a header alone.
constexpr qint64 trustedElements = 64;

// Of what is no reply so much is told.
constexpr qsizetype mostTold = 60;

// Null: it has not come yet.
const char* endOfLine(const char* from, const char* end)
{
    while (from < end) {
        const auto* found = static_cast<const char*>(std::memchr(from, '\r', size_t(end - from)));
        if (!found || found + 1 >= end)
            return nullptr;
        if (found[1] == '\n')
            return found;
        from = found + 1;
    }
    return nullptr;
}

// A number and the end of its line, which nearly every line is: behind it, or null where it is not
// all there, or is something else.
const char* numberLine(const char* from, const char* end, qint64& number)
{
    constexpr qsizetype mostDigits = 19;
    const bool negative = from < end && *from == '-';
    const char* const digits = from + (negative ? 1 : 0);
    const char* at = digits;
    quint64 value = 0;
    for (; at < end && at - digits < mostDigits && *at >= '0' && *at <= '9'; ++at)
        value = value * 10 + quint64(*at - '0');
    constexpr auto largest = quint64(std::numeric_limits<qint64>::max());
    if (at == digits || value > largest + (negative ? 1 : 0) || end - at < 2 || at[0] != '\r' ||
        at[1] != '\n')
        return nullptr;
    number = negative ? qint64(0 - value) : qint64(value);
    return at + 2;
}

} // namespace

ReplyReader::ReplyReader(Limits limits)
    : m_limits(limits)
{}

ReplyReader::ReplyReader()
    : ReplyReader(Limits{})
{}

void ReplyReader::feed(QByteArrayView bytes)
{
    if (m_error)
        return;
    // What was read is dropped when it is most of it: each byte is moved once at most.
    if (m_read > m_bytes.size() / 2)
        m_bytes.remove(0, std::exchange(m_read, 0));
    m_bytes.append(bytes);
}

Result<bool> ReplyReader::next(Reply& out)
{
    while (!m_error) {
        const Found found = readItem();
        if (m_error)
            break;
        if (found == Found::Part)
            return false;
        if (found == Found::Array || !closeArrays())
            continue;
        out = std::move(m_root);
        m_root = {};
        m_lastBytes = m_textBytes + m_elements * qint64(sizeof(Reply));
        m_textBytes = m_elements = 0;
        return true;
    }
    return tl::unexpected<Error>(*m_error);
}

// One value, or the header of an array. Its bytes are read once it is there as a whole.
ReplyReader::Found ReplyReader::readItem()
{
    if (next() == end())
        return Found::Part;
    const char type = *next();
    const char* const line = next() + 1;
    const bool isText = type == '+' || type == '-';
    if (!isText && type != ':' && type != '$' && type != '*')
        return refuse(next());
    if (!isText) {
        qint64 number = 0;
        if (const char* behind = numberLine(line, end(), number)) {
            if (type == '$')
                return readBulk(number, behind);
            if (type == '*' && (number < -1 || (number >= 0 && m_opened == mostOpen)))
                return refuse(next());
            m_read = behind - m_bytes.constData();
            return type == ':' ? readInteger(number) : readArray(number);
        }
    }
    const char* stop = endOfLine(line, end());
    if (!stop && end() - line > longestLine)
        m_error = Error{ErrorCode::ReplyTooLarge,
                        Text::tr("a line of more than %1 bytes").arg(longestLine)};
    if (!stop)
        return Found::Part;
    if (!isText)
        return refuse(next());
    m_read = stop + 2 - m_bytes.constData();
    return readText(type == '+' ? Reply::Type::Status : Reply::Type::Error,
                    QByteArrayView(line, stop));
}

ReplyReader::Found ReplyReader::readText(Reply::Type type, QByteArrayView text)
{
    if (!spend(text.size(), 0))
        return Found::Part;
    Reply& reply = place();
    reply.type = type;
    reply.text = type == Reply::Type::Status ? shared(text) : text.toByteArray();
    return Found::Item;
}

ReplyReader::Found ReplyReader::readInteger(qint64 value)
{
    Reply& reply = place();
    reply.type = Reply::Type::Integer;
    reply.integer = value;
    return Found::Item;
}

ReplyReader::Found ReplyReader::readBulk(qint64 size, const char* content)
{
    if (size < -1)
        return refuse(next());
    if (size > m_limits.maxReplyBytes - m_textBytes) { // before it has come
        spend(size, 0);
        return Found::Part;
    }
    if (size >= 0 && end() - content < size + 2)
        return Found::Part;
    m_read = content - m_bytes.constData();
    if (size < 0) {
        place();
        return Found::Item;
    }
    if (content[size] != '\r' || content[size + 1] != '\n')
        return refuse(content + size);
    m_read += size + 2;
    spend(size, 0);
    Reply& reply = place();
    reply.type = Reply::Type::Bulk;
    reply.text = QByteArray(content, size);
    return Found::Item;
}

ReplyReader::Found ReplyReader::readArray(qint64 elements)
{
    if (elements > 0 && !spend(0, elements))
        return Found::Part;
    Reply& reply = place();
    if (elements < 0)
        return Found::Item;
    reply.type = Reply::Type::Array;
    if (elements == 0)
        return Found::Item;
    reply.items.reserve(size_t(std::min(elements, trustedElements)));
    m_open[m_opened++] = {&reply, elements};
    return Found::Array;
}

// Growing an array moves only those of its elements that are whole: one path is filled at a time.
Reply& ReplyReader::place()
{
    return m_opened == 0 ? m_root : m_open[m_opened - 1].array->items.emplace_back();
}

// After an element: true once nothing is missing any more.
bool ReplyReader::closeArrays()
{
    while (m_opened > 0 && --m_open[m_opened - 1].missing == 0)
        --m_opened;
    return m_opened == 0;
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
    m_textBytes += bytes;
    m_elements += elements;
    if (m_textBytes > m_limits.maxReplyBytes) {
        m_error = Error{ErrorCode::ReplyTooLarge,
                        Text::tr("more than %1 bytes").arg(m_limits.maxReplyBytes)};
    } else if (m_elements > m_limits.maxElements) {
        m_error = Error{ErrorCode::ReplyTooLarge,
                        Text::tr("more than %1 elements").arg(m_limits.maxElements)};
    }
    return !m_error;
}

// What stands where a reply, a number or an end should: whoever speaks another protocol is told by
// its own words.
ReplyReader::Found ReplyReader::refuse(const char* from)
{
    const QByteArray told(from, std::min<qsizetype>(end() - from, mostTold));
    m_error = Error{ErrorCode::Protocol, QLatin1Char('"') + displayName(told) + QLatin1Char('"')};
    return Found::Part;
}

} // namespace lk
