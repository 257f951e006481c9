// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/blockcodec.h"

#include "backend/history/series.h"
#include "backend/history/store/bytes.h"

#include <QtEndian>

#include <algorithm>
#include <tuple>

#include <zlib.h>

namespace lk {

namespace {

constexpr int fast = 1; // of zlib's levels: a higher one costs three times as much for a tenth
constexpr quint32 mostBytes = 256U * 1024 * 1024;

// What a point's flags say; in this order they are followed by what they announce.
enum PointFlag : quint8 {
    Gap = 1,    // nothing is known
    Absent = 2, // there is nothing to measure
    Whole = 4,  // last is a whole number, against the one before
    Range = 8,  // smallest, largest and mean are not all the same as last
};

// So much of a whole number a double holds.
constexpr double mostWhole = 9e15;

bool isWhole(double value)
{
    return std::abs(value) < mostWhole && value == std::floor(value);
}

// Where the mean lies between the smallest and the largest: nearly enough to draw.
quint8 meanShare(const RecordedPoint& p)
{
    const double width = p.largest - p.smallest;
    if (!(width > 0))
        return 0;
    return quint8(std::lround(std::clamp((p.mean - p.smallest) / width, 0.0, 1.0) * 255));
}

void writePoint(ByteWriter& out, const RecordedPoint& p, double before)
{
    if (std::isnan(p.last)) {
        out.byte(isAbsent(p.last) ? Absent : Gap);
        return;
    }
    const bool range = p.smallest != p.last || p.largest != p.last;
    const bool whole = isWhole(p.last) && isWhole(before) &&
                       (!range || (isWhole(p.smallest) && isWhole(p.largest)));
    out.byte(quint8((whole ? Whole : 0) | (range ? Range : 0)));
    if (whole) {
        out.whole(qint64(p.last) - qint64(before));
        if (range) {
            out.whole(qint64(p.last) - qint64(p.smallest));
            out.whole(qint64(p.largest) - qint64(p.last));
        }
    } else {
        out.real(p.last);
        if (range) {
            out.real(p.smallest);
            out.real(p.largest);
        }
    }
    if (range)
        out.byte(meanShare(p));
}

RecordedPoint readPoint(ByteReader& in, double before)
{
    RecordedPoint p;
    const quint8 flags = in.byte();
    if (flags & (Gap | Absent)) {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        p.last = p.smallest = p.largest = p.mean =
            (flags & Absent) ? std::copysign(nan, -1.0) : std::copysign(nan, 1.0);
        return p;
    }
    const bool range = flags & Range;
    if (flags & Whole) {
        p.last = before + double(in.whole());
        p.smallest = range ? p.last - double(in.whole()) : p.last;
        p.largest = range ? p.last + double(in.whole()) : p.last;
    } else {
        p.last = in.real();
        p.smallest = range ? in.real() : p.last;
        p.largest = range ? in.real() : p.last;
    }
    p.mean = range ? p.smallest + (p.largest - p.smallest) * in.byte() / 255 : p.last;
    return p;
}

double baseAfter(const RecordedPoint& p, double before)
{
    return std::isnan(p.last) || !isWhole(p.last) ? before : p.last;
}

// qUncompress() believes what a block says of its own size, and warns of what is broken.
QByteArray uncompressed(const QByteArray& block)
{
    constexpr qsizetype header = 4; // the size, as qCompress() writes it
    const quint32 size = block.size() > header ? qFromBigEndian<quint32>(block.constData()) : 0;
    // zlib makes at most a thousand bytes of one.
    if (size == 0 || size > mostBytes || size / 1100 > quint32(block.size()))
        return {};
    QByteArray bytes(qsizetype(size), Qt::Uninitialized);
    uLongf written = size;
    const auto* from = reinterpret_cast<const Bytef*>(block.constData() + header);
    const int done = ::uncompress(reinterpret_cast<Bytef*>(bytes.data()), &written, from,
                                  uLong(block.size() - header));
    return done == Z_OK && written == size ? bytes : QByteArray();
}

template<typename Frame> size_t endOfGroup(std::span<const Frame> frames, size_t from)
{
    const auto isOther = [&](const Frame& f) {
        if constexpr (std::is_same_v<Frame, SampleFrame>)
            return f.primitive != frames[from].primitive || f.metric != frames[from].metric;
        else
            return f.primitive != frames[from].primitive;
    };
    return size_t(std::find_if(frames.begin() + qptrdiff(from), frames.end(), isOther) -
                  frames.begin());
}

} // namespace

void sortFrames(std::vector<StateFrame>& frames)
{
    std::stable_sort(frames.begin(), frames.end(), [](const StateFrame& a, const StateFrame& b) {
        return std::tie(a.primitive, a.tMs) < std::tie(b.primitive, b.tMs);
    });
}

void sortFrames(std::vector<SampleFrame>& frames)
{
    std::stable_sort(frames.begin(), frames.end(), [](const SampleFrame& a, const SampleFrame& b) {
        return std::tie(a.primitive, a.metric, a.point.tMs) <
               std::tie(b.primitive, b.metric, b.point.tMs);
    });
}

QByteArray encodeBlock(std::span<const StateFrame> frames, qint64 fromMs)
{
    ByteWriter out;
    qint64 before = 0;
    for (size_t at = 0; at < frames.size();) {
        const size_t end = endOfGroup(frames, at);
        out.whole(frames[at].primitive - before);
        before = frames[at].primitive;
        out.number(end - at);
        qint64 tMs = fromMs;
        for (; at < end; ++at) {
            out.whole(frames[at].tMs - tMs);
            tMs = frames[at].tMs;
            out.text(frames[at].state);
        }
    }
    return qCompress(out.take(), fast);
}

QByteArray encodeBlock(std::span<const SampleFrame> frames, qint64 fromMs)
{
    ByteWriter out;
    qint64 before = 0;
    for (size_t at = 0; at < frames.size();) {
        const size_t end = endOfGroup(frames, at);
        out.whole(frames[at].primitive - before);
        before = frames[at].primitive;
        out.whole(frames[at].metric);
        out.number(end - at);
        qint64 tMs = fromMs;
        double last = 0;
        for (; at < end; ++at) {
            const RecordedPoint& p = frames[at].point;
            out.whole(p.tMs - tMs);
            tMs = p.tMs;
            writePoint(out, p, last);
            last = baseAfter(p, last);
        }
    }
    return qCompress(out.take(), fast);
}

bool decodeBlock(const QByteArray& block, qint64 fromMs, std::vector<StateFrame>& frames,
                 qint64 primitive)
{
    const QByteArray bytes = uncompressed(block);
    const size_t was = frames.size();
    ByteReader in(bytes);
    qint64 id = 0;
    while (in.ok() && !in.atEnd()) {
        id += in.whole();
        qint64 tMs = fromMs;
        const bool wanted = primitive == 0 || id == primitive;
        for (size_t n = in.count(); n > 0 && in.ok(); --n) {
            tMs += in.whole();
            const QByteArrayView state = in.view();
            if (wanted)
                frames.push_back({id, tMs, state.toByteArray()});
        }
    }
    if (bytes.isEmpty() || !in.ok())
        frames.resize(was);
    return !bytes.isEmpty() && in.ok();
}

bool decodeBlock(const QByteArray& block, qint64 fromMs, std::vector<SampleFrame>& frames,
                 qint64 primitive, qint64 metric)
{
    const QByteArray bytes = uncompressed(block);
    const size_t was = frames.size();
    ByteReader in(bytes);
    qint64 id = 0;
    while (in.ok() && !in.atEnd()) {
        id += in.whole();
        const qint64 of = in.whole();
        qint64 tMs = fromMs;
        double last = 0;
        const bool wanted = (primitive == 0 || id == primitive) && (metric == 0 || of == metric);
        for (size_t n = in.count(); n > 0 && in.ok(); --n) {
            tMs += in.whole();
            RecordedPoint p = readPoint(in, last);
            p.tMs = tMs;
            last = baseAfter(p, last);
            if (wanted)
                frames.push_back({id, of, p});
        }
    }
    if (bytes.isEmpty() || !in.ok())
        frames.resize(was);
    return !bytes.isEmpty() && in.ok();
}

} // namespace lk
