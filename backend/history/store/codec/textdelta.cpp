// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/codec/textdelta.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lk {

namespace {

// How a text is written.
enum Form : quint8 {
    Runs,   // same length: runs of equal and of differing bytes in turn
    Middle, // some bytes at the beginning and at the end are equal
    Whole,  // differs from the previous one entirely
};
// A shorter run of equal bytes between differing ones costs more than it saves.
constexpr qsizetype leastSame = 3;

void writeBytes(ByteWriter& shape, ByteWriter& bytes, QByteArrayView text)
{
    shape.number(quint64(text.size()));
    bytes.bytes(text);
}

QByteArrayView readBytes(ByteReader& shape, ByteReader& bytes)
{
    const quint64 size = shape.number();
    return bytes.view(size);
}

void writeRuns(ByteWriter& out, ByteWriter& bytes, const QByteArray& last, const QByteArray& text)
{
    std::vector<std::pair<qsizetype, qsizetype>> runs; // from, to
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (last[i] == text[i])
            continue;
        if (!runs.empty() && i - runs.back().second < leastSame)
            runs.back().second = i + 1;
        else
            runs.emplace_back(i, i + 1);
    }
    out.byte(Runs);
    out.number(runs.size());
    qsizetype at = 0;
    for (const auto& [from, to] : runs) {
        out.number(quint64(from - at));
        writeBytes(out, bytes, QByteArrayView(text).sliced(from, to - from));
        at = to;
    }
}

} // namespace

void writeAgainst(ByteWriter& out, ByteWriter& bytes, const QByteArray& last,
                  const QByteArray& text)
{
    if (last.size() == text.size())
        return writeRuns(out, bytes, last, text);
    const qsizetype most = std::min(last.size(), text.size());
    qsizetype begin = 0;
    while (begin < most && last[begin] == text[begin])
        ++begin;
    qsizetype end = 0;
    while (end < most - begin && last[last.size() - 1 - end] == text[text.size() - 1 - end])
        ++end;
    if (begin + end == 0) {
        out.byte(Whole);
        return writeBytes(out, bytes, text);
    }
    out.byte(Middle);
    out.number(quint64(begin));
    out.number(quint64(end));
    writeBytes(out, bytes, QByteArrayView(text).sliced(begin, text.size() - begin - end));
}

QByteArray readAgainst(ByteReader& in, ByteReader& bytes, const QByteArray& last)
{
    switch (in.oneOf(Whole)) {
    case Runs: {
        QByteArray text = last;
        quint64 at = 0;
        const auto size = quint64(text.size());
        for (size_t n = in.count(); n > 0 && in.ok(); --n) {
            const quint64 same = in.number();
            const QByteArrayView other = readBytes(in, bytes);
            if (same > size - at || quint64(other.size()) > size - at - same) {
                in.fail();
                break;
            }
            at += same;
            std::copy(other.begin(), other.end(), text.data() + at);
            at += quint64(other.size());
        }
        return text;
    }
    case Middle: {
        const quint64 begin = in.number();
        const quint64 end = in.number();
        const QByteArrayView other = readBytes(in, bytes);
        const auto size = quint64(last.size());
        if (begin > size || end > size - begin) {
            in.fail();
            break;
        }
        return last.left(qsizetype(begin)) + other.toByteArray() + last.right(qsizetype(end));
    }
    case Whole:
        return readBytes(in, bytes).toByteArray();
    }
    return {};
}

void skipAgainst(ByteReader& in, ByteReader& bytes)
{
    switch (in.oneOf(Whole)) {
    case Runs:
        for (size_t n = in.count(); n > 0 && in.ok(); --n) {
            in.number();
            readBytes(in, bytes);
        }
        break;
    case Middle:
        in.number();
        in.number();
        readBytes(in, bytes);
        break;
    case Whole:
        readBytes(in, bytes);
        break;
    }
}

} // namespace lk
