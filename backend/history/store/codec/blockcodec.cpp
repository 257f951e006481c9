// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/codec/blockcodec.h"

#include "backend/core/compact/bytes.h"
#include "backend/history/series.h"
#include "backend/history/store/codec/textdelta.h"

#include <QtEndian>

#include <algorithm>
#include <tuple>

#include <zlib.h>

namespace lk {

namespace {

constexpr int fast = 1; // of zlib's levels: a higher one costs three times as much for a tenth
constexpr quint32 mostBytes = 256U * 1024 * 1024;
// A block that is longer is compressed in parts of about so many bytes, so that who wants one
// primitive of it need not unpack the others. Shorter ones would be no smaller together.
constexpr qsizetype partBytes = 16 * 1024;
// More are in no block that was written: of a few bytes a broken one could make more than fit.
constexpr size_t mostFrames = 8'000'000;
// A block in parts begins with one of these, where others have their size, which is never 0 nor so
// much. In the second a state is written against the one before of the same primitive.
constexpr quint32 inParts = 0;
constexpr quint32 inPartsAgainstLast = 0xffff'ffff;

quint32 headOf(const QByteArray& block)
{
    return block.size() > qsizetype(sizeof inParts) ? qFromBigEndian<quint32>(block.constData())
                                                    : 1;
}

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

/// Puts the primitives of a block together into parts, each of which can be read alone.
class PartWriter
{
public:
    /// What the primitives up to this one have is a part by now if it is long enough.
    bool isDue(const ByteWriter& out) const { return out.size() >= partBytes; }
    /// first: its first primitive.
    void take(ByteWriter& out, qint64 first)
    {
        m_parts.push_back({first, qCompress(out.take(), fast)});
        out = ByteWriter();
    }
    QByteArray block(bool againstLast = false) const
    {
        if (m_parts.size() == 1 && !againstLast)
            return m_parts.front().bytes;
        ByteWriter out;
        out.number(m_parts.size());
        qint64 before = 0;
        for (const Part& part : m_parts) {
            out.whole(part.first - std::exchange(before, part.first));
            out.number(quint64(part.bytes.size()));
        }
        QByteArray all(sizeof inParts, Qt::Uninitialized);
        qToBigEndian(againstLast ? inPartsAgainstLast : inParts, all.data());
        all += out.take();
        for (const Part& part : m_parts)
            all += part.bytes;
        return all;
    }

private:
    struct Part
    {
        qint64 first;
        QByteArray bytes;
    };
    std::vector<Part> m_parts;
};

/// Calls take() with each part that may have something of the primitive, of all if that is 0.
/// False: the block is broken, or take() has said so.
template<typename Take> bool eachPart(const QByteArray& block, qint64 primitive, Take take)
{
    constexpr qsizetype header = sizeof inParts;
    if (const quint32 head = headOf(block); head != inParts && head != inPartsAgainstLast)
        return take(uncompressed(block));
    ByteReader in(QByteArrayView(block).sliced(header));
    const size_t count = in.count();
    std::vector<std::pair<qint64, quint64>> parts; // by their first primitives, with their bytes
    parts.reserve(count);
    qint64 first = 0;
    for (size_t i = 0; i < count && in.ok(); ++i) {
        first = in.after(first);
        parts.emplace_back(first, in.number());
    }
    for (size_t i = 0; i < parts.size() && in.ok(); ++i) {
        const QByteArrayView bytes = in.view(parts[i].second);
        const bool wanted =
            primitive == 0 || (parts[i].first <= primitive &&
                               (i + 1 == parts.size() || primitive < parts[i + 1].first));
        if (in.ok() && wanted &&
            !take(uncompressed(QByteArray::fromRawData(bytes.data(), bytes.size()))))
            return false;
    }
    return in.ok() && count > 0;
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
    // Of a second there is one of each: those blocks are as small as ever.
    const bool againstLast = std::adjacent_find(frames.begin(), frames.end(), [](auto& a, auto& b) {
                                 return a.primitive == b.primitive;
                             }) != frames.end();
    PartWriter parts;
    ByteWriter out;
    qint64 first = frames.empty() ? 0 : frames.front().primitive;
    qint64 before = 0;
    for (size_t at = 0; at < frames.size();) {
        if (parts.isDue(out)) {
            parts.take(out, std::exchange(first, frames[at].primitive));
            before = 0;
        }
        const size_t end = endOfGroup(frames, at);
        out.whole(frames[at].primitive - before);
        before = frames[at].primitive;
        out.number(end - at);
        qint64 tMs = fromMs;
        const QByteArray* last = nullptr;
        for (; at < end; ++at) {
            out.whole(frames[at].tMs - tMs);
            tMs = frames[at].tMs;
            if (againstLast && last)
                writeAgainst(out, *last, frames[at].state);
            else
                out.text(frames[at].state);
            last = &frames[at].state;
        }
    }
    parts.take(out, first);
    return parts.block(againstLast);
}

QByteArray encodeBlock(std::span<const SampleFrame> frames, qint64 fromMs)
{
    PartWriter parts;
    ByteWriter out;
    qint64 first = frames.empty() ? 0 : frames.front().primitive;
    qint64 before = 0;
    for (size_t at = 0; at < frames.size();) {
        // All metrics of a primitive are in one part.
        if (parts.isDue(out) && frames[at].primitive != before) {
            parts.take(out, std::exchange(first, frames[at].primitive));
            before = 0;
        }
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
    parts.take(out, first);
    return parts.block();
}

bool decodeBlock(const QByteArray& block, qint64 fromMs, std::vector<StateFrame>& frames,
                 qint64 primitive)
{
    const size_t was = frames.size();
    const bool againstLast = headOf(block) == inPartsAgainstLast;
    const bool whole = eachPart(block, primitive, [&](const QByteArray& bytes) {
        ByteReader in(bytes);
        qint64 id = 0;
        while (in.ok() && !in.atEnd()) {
            id = in.after(id);
            qint64 tMs = fromMs;
            const bool wanted = primitive == 0 || id == primitive;
            QByteArray last;
            bool isFirst = true;
            for (size_t n = in.count(); n > 0 && in.ok(); --n) {
                tMs = in.after(tMs);
                if (std::exchange(isFirst, false) || !againstLast)
                    last = wanted ? in.text() : (in.view(), QByteArray());
                else if (wanted)
                    last = readAgainst(in, last);
                else
                    skipAgainst(in);
                if (!wanted)
                    continue;
                if (id <= 0 || frames.size() - was >= mostFrames)
                    return false;
                frames.push_back({id, tMs, last});
            }
        }
        return !bytes.isEmpty() && in.ok();
    });
    if (!whole)
        frames.resize(was);
    return whole;
}

bool decodeBlock(const QByteArray& block, qint64 fromMs, std::vector<SampleFrame>& frames,
                 qint64 primitive, qint64 metric)
{
    const size_t was = frames.size();
    const bool whole = eachPart(block, primitive, [&](const QByteArray& bytes) {
        ByteReader in(bytes);
        qint64 id = 0;
        while (in.ok() && !in.atEnd()) {
            id = in.after(id);
            const qint64 of = in.whole();
            qint64 tMs = fromMs;
            double last = 0;
            const bool wanted =
                (primitive == 0 || id == primitive) && (metric == 0 || of == metric);
            for (size_t n = in.count(); n > 0 && in.ok(); --n) {
                tMs = in.after(tMs);
                RecordedPoint p = readPoint(in, last);
                p.tMs = tMs;
                last = baseAfter(p, last);
                if (!wanted)
                    continue;
                if (id <= 0 || frames.size() - was >= mostFrames)
                    return false;
                frames.push_back({id, of, p});
            }
        }
        return !bytes.isEmpty() && in.ok();
    });
    if (!whole)
        frames.resize(was);
    return whole;
}

} // namespace lk
