// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/jobs/jobtexts.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QTimeZone>

#include <zlib.h>

namespace lk {

std::optional<qint64> serverTimeMs(const Reply& time)
{
    if (time.items.size() != 2)
        return std::nullopt;
    const qint64 seconds = time.items[0].text.toLongLong();
    return seconds * 1000 + time.items[1].text.toLongLong() / 1000;
}

std::optional<qint64> isoTimeMs(const QByteArray& text)
{
    // Fractions have up to nine digits; three are used. Without a zone, the time is UTC.
    if (text.size() < 19 || text.size() > 40 || text[10] != 'T')
        return std::nullopt;
    QDateTime time = QDateTime::fromString(QString::fromLatin1(text.left(19)), Qt::ISODate);
    if (!time.isValid())
        return std::nullopt;
    time.setTimeZone(QTimeZone::utc());
    qint64 ms = 0;
    qsizetype at = 19;
    if (at < text.size() && text[at] == '.') {
        const QByteArray digits = text.mid(at + 1, 3);
        ms = digits.leftJustified(3, '0').toLongLong();
    }
    return time.toMSecsSinceEpoch() + ms;
}

QByteArray inflated(const QByteArray& zlib, qsizetype mostBytes)
{
    // qUncompress() has no bound and logs a warning for other data.
    QByteArray text(mostBytes, Qt::Uninitialized);
    uLongf size = uLongf(mostBytes);
    const int status =
        ::uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                     reinterpret_cast<const Bytef*>(zlib.constData()), uLong(zlib.size()));
    if (status != Z_OK)
        return {};
    text.truncate(qsizetype(size));
    text.squeeze();
    return text;
}

QByteArray lastLine(const QByteArray& text)
{
    qsizetype end = text.size();
    while (end > 0 && (text[end - 1] == '\n' || text[end - 1] == '\r' || text[end - 1] == ' '))
        --end;
    const qsizetype start = end == 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
    return text.mid(start, end - start);
}

QJsonObject jsonObject(const QByteArray& text, qsizetype mostBytes)
{
    if (!text.startsWith('{') || text.size() > mostBytes)
        return {};
    return QJsonDocument::fromJson(text).object();
}

QByteArray jsonText(const QJsonObject& object, const char* name)
{
    const QJsonValue value = object.value(QLatin1String(name));
    if (value.isDouble()) {
        const double number = value.toDouble();
        return number == double(qint64(number)) ? QByteArray::number(qint64(number))
                                                : QByteArray::number(number, 'f', 6);
    }
    if (value.isBool())
        return value.toBool() ? "true" : "false";
    return value.toString().toUtf8();
}

} // namespace lk
