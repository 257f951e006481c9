// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/compact/packedtext.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qsizetype uuidLetters = 36;
constexpr qsizetype uuidBytes = 16;
constexpr qsizetype leastDigits = 8;

enum class Form : quint8 { Plain, Uuid, Digits };

int digitOf(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

char letterOf(int digit)
{
    return char(digit < 10 ? '0' + digit : 'a' + digit - 10);
}

constexpr bool isDash(qsizetype at)
{
    return at == 8 || at == 13 || at == 18 || at == 23;
}

bool startsWithUuid(QByteArrayView text)
{
    if (text.size() < uuidLetters)
        return false;
    for (qsizetype i = 0; i < uuidLetters; ++i) {
        if (isDash(i) ? text[i] != '-' : digitOf(text[i]) < 0)
            return false;
    }
    return true;
}

bool isDigits(QByteArrayView text)
{
    return text.size() >= leastDigits && text.size() % 2 == 0 &&
           std::all_of(text.begin(), text.end(), [](char c) { return digitOf(c) >= 0; });
}

} // namespace

void writePacked(ByteWriter& out, const QByteArray& text)
{
    const Form form = startsWithUuid(text) ? Form::Uuid
                      : isDigits(text)     ? Form::Digits
                                           : Form::Plain;
    const qsizetype letters = form == Form::Uuid     ? uuidLetters
                              : form == Form::Digits ? text.size()
                                                     : 0;
    out.number(quint64(text.size()) << 2 | quint64(form));
    int high = -1;
    for (qsizetype i = 0; i < letters; ++i) {
        if (form == Form::Uuid && isDash(i))
            continue;
        const int digit = digitOf(text[i]);
        if (high < 0) {
            high = digit;
            continue;
        }
        out.byte(quint8(high << 4 | digit));
        high = -1;
    }
    out.bytes(QByteArrayView(text).sliced(letters));
}

QByteArray readPacked(ByteReader& in)
{
    const quint64 head = in.number();
    const quint64 size = head >> 2;
    const auto form = Form(head & 3);
    if (form == Form::Plain)
        return in.view(size).toByteArray();
    const bool uuid = form == Form::Uuid;
    if ((!uuid && form != Form::Digits) || (uuid && size < quint64(uuidLetters)) ||
        (!uuid && size % 2 != 0)) {
        in.fail();
        return {};
    }
    const QByteArrayView packed = in.view(uuid ? quint64(uuidBytes) : size / 2);
    QByteArray text;
    text.reserve(qsizetype(std::min<quint64>(size, 256)));
    for (const char byte : packed) {
        for (const int digit : {quint8(byte) >> 4, quint8(byte) & 15}) {
            if (uuid && isDash(text.size()))
                text += '-';
            text += letterOf(digit);
        }
    }
    if (uuid)
        text += in.view(size - quint64(uuidLetters));
    return text;
}

} // namespace lk
