// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/jobs/pickle.h"

#include <QJsonObject>
#include <QtEndian>

#include <cmath>

namespace lk::actions {

namespace {

template<typename T> void appendLittle(QByteArray& out, T value)
{
    const T little = qToLittleEndian(value);
    out.append(reinterpret_cast<const char*>(&little), qsizetype(sizeof little));
}

void appendText(QByteArray& out, const QString& text)
{
    const QByteArray utf8 = text.toUtf8();
    out += 'X'; // BINUNICODE
    appendLittle(out, quint32(utf8.size()));
    out += utf8;
}

void appendNumber(QByteArray& out, double number)
{
    constexpr double exact = 9007199254740992.0; // larger numbers are not exact
    if (std::floor(number) == number && std::abs(number) <= exact) {
        out += "\x8a\x08"; // LONG1 of 8 bytes
        appendLittle(out, qint64(number));
        return;
    }
    out += 'G'; // BINFLOAT
    quint64 bits = 0;
    static_assert(sizeof bits == sizeof number);
    memcpy(&bits, &number, sizeof bits);
    const quint64 big = qToBigEndian(bits);
    out.append(reinterpret_cast<const char*>(&big), qsizetype(sizeof big));
}

void append(QByteArray& out, const QJsonValue& value)
{
    switch (value.type()) {
    case QJsonValue::Bool:
        out += value.toBool() ? '\x88' : '\x89';
        return;
    case QJsonValue::Double:
        return appendNumber(out, value.toDouble());
    case QJsonValue::String:
        return appendText(out, value.toString());
    case QJsonValue::Array:
        out += "]("; // EMPTY_LIST, MARK
        for (const QJsonValue& item : value.toArray())
            append(out, item);
        out += 'e'; // APPENDS
        return;
    case QJsonValue::Object: {
        const QJsonObject object = value.toObject();
        out += "}("; // EMPTY_DICT, MARK
        for (auto it = object.begin(); it != object.end(); ++it) {
            appendText(out, it.key());
            append(out, it.value());
        }
        out += 'u'; // SETITEMS
        return;
    }
    case QJsonValue::Null:
    case QJsonValue::Undefined:
        break;
    }
    out += 'N';
}

} // namespace

QByteArray pickled(const QJsonArray& call)
{
    QByteArray out("\x80\x02(", 3); // PROTO 2, MARK
    for (qsizetype i = 0; i < call.size(); ++i) {
        if (i != 2) {
            append(out, call[i]);
            continue;
        }
        out += '(';
        for (const QJsonValue& item : call[i].toArray())
            append(out, item);
        out += 't'; // TUPLE
    }
    return out + "t."; // TUPLE, STOP
}

} // namespace lk::actions
