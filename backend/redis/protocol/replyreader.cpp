// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/protocol/replyreader.h"

#include "backend/core/names/keyname.h"

#include <QCoreApplication>

#include <algorithm>
#include <charconv>
#include <cstring>
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

std::optional<qint64> wholly(QByteArrayView text)
{
    qint64 number = 0;
    const auto [stop, problem] = std::from_chars(text.begin(), text.end(), number);
    return problem == std::errc() && stop == text.end() ? std::optional(number) : std::nullopt;
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
    if (!std::strchr("+-:$*", type) || type == '\0')
        return refuse(QByteArrayView(next(), end()));
    const char* line = next() + 1;
    const char* stop = endOfLine(line, end());
    if (!stop) {
        if (end() - line > longestLine)
            m_error = Error{ErrorCode::ReplyTooLarge,
                            Text::tr("a line of more than %1 bytes").arg(longestLine)};
        return Found::Part;
    }
    const QByteArrayView text(line, stop);
    const char* content = stop + 2;
    if (type == '$')
        return readBulk(text, content);
    m_read = content - m_bytes.constData();
    if (type == ':')
        return readNumber(text);
    if (type == '*')
        return readArray(text);
    return readText(type == '+' ? Reply::Type::Status : Reply::Type::Error, text);
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

ReplyReader::Found ReplyReader::readNumber(QByteArrayView number)
{
    const std::optional<qint64> value = wholly(number);
    if (!value)
        return refuse(number);
    Reply& reply = place();
    reply.type = Reply::Type::Integer;
    reply.integer = *value;
    return Found::Item;
}

ReplyReader::Found ReplyReader::readBulk(QByteArrayView length, const char* content)
{
    const std::optional<qint64> size = wholly(length);
    if (!size || *size < -1)
        return refuse(length);
    if (*size > m_limits.maxReplyBytes - m_textBytes) { // before it has come
        spend(*size, 0);
        return Found::Part;
    }
    if (*size >= 0 && end() - content < *size + 2)
        return Found::Part;
    m_read = content - m_bytes.constData();
    if (*size < 0) {
        place();
        return Found::Item;
    }
    if (content[*size] != '\r' || content[*size + 1] != '\n')
        return refuse(QByteArrayView(content + *size, 2));
    m_read += *size + 2;
    spend(*size, 0);
    Reply& reply = place();
    reply.type = Reply::Type::Bulk;
    reply.text = QByteArray(content, *size);
    return Found::Item;
}

ReplyReader::Found ReplyReader::readArray(QByteArrayView length)
{
    const std::optional<qint64> elements = wholly(length);
    if (!elements || *elements < -1 || (*elements >= 0 && m_opened == mostOpen))
        return refuse(length);
    if (*elements > 0 && !spend(0, *elements))
        return Found::Part;
    Reply& reply = place();
    if (*elements < 0)
        return Found::Item;
    reply.type = Reply::Type::Array;
    if (*elements == 0)
        return Found::Item;
    reply.items.reserve(size_t(std::min(*elements, trustedElements)));
    m_open[m_opened++] = {&reply, *elements};
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
ReplyReader::Found ReplyReader::refuse(QByteArrayView line)
{
    const QByteArray told = line.first(std::min(line.size(), mostTold)).toByteArray();
    m_error = Error{ErrorCode::Protocol, QLatin1Char('"') + displayName(told) + QLatin1Char('"')};
    return Found::Part;
}

} // namespace lk
