// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of samples, with one column for each component of a point.
#include "backend/history/series.h"
#include "backend/history/store/codec/blockcodec.h"
#include "backend/history/store/codec/blockparts.h"
#include "backend/history/store/codec/columns.h"

#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

namespace lk {

namespace {

enum Column : size_t {
    Groups,   ///< the metrics, their number of points, and how these are written
    Times,    ///< relative to the previous one, in units of the group
    Flags,    ///< a byte each
    Values,   ///< the last number of a span, if it is whole
    Extremes, ///< by how much a span exceeds its first and last number
    Means,    ///< where the mean lies between the extremes
    Reals,    ///< numbers that are not whole
    columnCount
};
constexpr size_t sampleCodecTextColumns = 1;
using SampleColumns = ColumnSet<columnCount>;

enum PointFlag : quint8 {
    Gap = 1,     ///< nothing is known
    Absent = 2,  ///< there is nothing to measure
    Whole = 4,   ///< its numbers are whole
    Stretch = 8, ///< it covers a span, and its extremes differ
    Low = 16,    ///< the smallest number is below the last one before the span and below its last
    High = 32,   ///< the largest number is above both
};

// How the whole numbers of a group are written.
enum GroupForm : quint8 { AgainstLast, AsTheyAre };

constexpr double sampleCodecMostWhole = 9e15; // a double is exact up to about here

bool sampleCodecIsWhole(double value)
{
    return std::abs(value) < sampleCodecMostWhole && value == std::floor(value);
}

quint64 apart(qint64 a, qint64 b) // wraps around as the reader does
{
    return quint64(b) - quint64(a);
}

size_t varintBytes(qint64 value)
{
    quint64 rest = (quint64(value) << 1) ^ quint64(value >> 63);
    size_t bytes = 1;
    while (rest >>= 7)
        ++bytes;
    return bytes;
}

bool isSamePoint(const SampleFrame& a, const SampleFrame& b)
{
    const auto same = [](double x, double y) { return std::memcmp(&x, &y, sizeof x) == 0; };
    return a.point.tMs == b.point.tMs && same(a.point.last, b.point.last) &&
           same(a.point.smallest, b.point.smallest) && same(a.point.largest, b.point.largest) &&
           same(a.point.mean, b.point.mean);
}

using Points = std::span<const SampleFrame>;

quint64 unitOf(Points points, qint64 fromMs)
{
    const qint64 first = qint64(apart(fromMs, points.front().point.tMs));
    quint64 unit = first < 0 ? 0 - quint64(first) : quint64(first);
    for (size_t i = 1; i < points.size() && unit != 1; ++i)
        unit = std::gcd(unit, apart(points[i - 1].point.tMs, points[i].point.tMs));
    return std::max<quint64>(unit, 1);
}

GroupForm formOf(Points points)
{
    size_t against = 0;
    size_t asTheyAre = 0;
    qint64 last = 0;
    for (const SampleFrame& frame : points) {
        if (!sampleCodecIsWhole(frame.point.last))
            continue;
        const auto value = qint64(frame.point.last);
        against += varintBytes(value - last);
        asTheyAre += varintBytes(value);
        last = value;
    }
    return asTheyAre < against ? AsTheyAre : AgainstLast;
}

/// The values before a point in its group.
struct Before
{
    qint64 value = 0;                                        ///< the last whole number
    double level = std::numeric_limits<double>::quiet_NaN(); ///< the last number; NaN if none

    void take(const RecordedPoint& p)
    {
        if (sampleCodecIsWhole(p.last))
            value = qint64(p.last);
        level = p.last;
    }
    double low(double last) const { return level < last ? level : last; }
    double high(double last) const { return level > last ? level : last; }
};

class SampleWriter
{
public:
    explicit SampleWriter(int means)
        : m_means(means)
    {}

    void add(Points points, qint64 fromMs, qint64 primitive, qint64 metric)
    {
        ByteWriter& groups = m_columns[Groups];
        groups.whole(primitive - std::exchange(m_primitive, primitive));
        groups.whole(metric - std::exchange(m_metric, metric));
        const auto same = std::ranges::find_if(m_told, [&](const Points& told) {
            return told.front().primitive == primitive &&
                   std::ranges::equal(told, points, isSamePoint);
        });
        if (same != m_told.end()) { // several metrics may have the same numbers
            groups.number(0);
            groups.number(size_t(m_told.end() - same));
        } else {
            const quint64 unit = unitOf(points, fromMs);
            const GroupForm form = formOf(points);
            groups.number(points.size());
            groups.number(unit);
            groups.byte(form);
            m_columns[Times].whole(qint64(apart(fromMs, points.front().point.tMs)) / qint64(unit));
            for (size_t i = 1; i < points.size(); ++i)
                m_columns[Times].number(apart(points[i - 1].point.tMs, points[i].point.tMs) / unit);
            Before before;
            for (const SampleFrame& frame : points)
                writePoint(frame.point, before, form);
        }
        if (!m_told.empty() && m_told.back().front().primitive != primitive)
            m_told.clear();
        m_told.push_back(points);
    }
    qsizetype size() const { return m_columns.size(); }
    QByteArray part()
    {
        ByteWriter out;
        m_columns.take(out, sampleCodecTextColumns);
        m_primitive = m_metric = 0;
        m_told.clear();
        return out.take();
    }

private:
    void writePoint(const RecordedPoint& p, Before& before, GroupForm form)
    {
        if (std::isnan(p.last)) {
            m_columns[Flags].byte(isAbsent(p.last) ? Absent : Gap);
            before.take(p);
            return;
        }
        const bool stretch = p.smallest != p.last || p.largest != p.last;
        const double low = before.low(p.last);
        const double high = before.high(p.last);
        const bool lower = stretch && p.smallest != low;
        const bool higher = stretch && p.largest != high;
        const bool whole =
            sampleCodecIsWhole(p.last) &&
            (!lower || (sampleCodecIsWhole(low) && sampleCodecIsWhole(p.smallest))) &&
            (!higher || (sampleCodecIsWhole(high) && sampleCodecIsWhole(p.largest)));
        m_columns[Flags].byte(quint8((whole ? Whole : 0) | (stretch ? Stretch : 0) |
                                     (lower ? Low : 0) | (higher ? High : 0)));
        if (whole) {
            const auto value = qint64(p.last);
            m_columns[Values].whole(form == AsTheyAre ? value : value - before.value);
            if (lower)
                m_columns[Extremes].whole(qint64(low) - qint64(p.smallest));
            if (higher)
                m_columns[Extremes].whole(qint64(p.largest) - qint64(high));
        } else {
            m_columns[Reals].real(p.last);
            if (lower)
                m_columns[Reals].real(p.smallest);
            if (higher)
                m_columns[Reals].real(p.largest);
        }
        if (const double width = p.largest - p.smallest; stretch && width > 0) {
            const double share = std::clamp((p.mean - p.smallest) / width, 0.0, 1.0);
            m_columns[Means].byte(
                quint8(std::lround(share * m_means) * fineMeans / std::max(m_means, 1)));
        }
        before.take(p);
    }

    SampleColumns m_columns;
    std::vector<Points> m_told; ///< of the primitive
    qint64 m_primitive = 0;
    qint64 m_metric = 0;
    int m_means;
};

/// Reads one part. ok() is false if it is broken.
class SampleReader
{
public:
    SampleReader(const QByteArray& part, qint64 fromMs)
        : m_fromMs(fromMs)
    {
        ByteReader in(part);
        for (QByteArray& column : m_bytes)
            column = readColumn(in);
        m_ok = in.ok() && in.atEnd();
        m_in.reserve(columnCount);
        for (const QByteArray& column : m_bytes)
            m_in.emplace_back(column);
    }

    bool ok() const
    {
        return m_ok && std::ranges::all_of(m_in, [](const ByteReader& in) { return in.ok(); });
    }
    bool atEnd() const { return m_in[Groups].atEnd(); }
    qint64 primitive() const { return m_primitive; }
    qint64 metric() const { return m_metric; }
    /// Returns the points of the next group.
    const std::vector<RecordedPoint>& next()
    {
        ByteReader& groups = m_in[Groups];
        const qint64 before = m_primitive;
        m_primitive = groups.after(m_primitive);
        m_metric = groups.after(m_metric);
        if (m_primitive != before)
            m_told.clear();
        const quint64 count = groups.number();
        if (count == 0) {
            const quint64 back = groups.number();
            if (back == 0 || back > m_told.size())
                return fail();
            m_told.push_back(m_told[m_told.size() - back]);
            return m_told.back();
        }
        const quint64 unit = groups.number();
        const GroupForm form = groups.oneOf(AsTheyAre);
        if (!groups.ok() || count > quint64(m_bytes[Flags].size()))
            return fail();
        std::vector<RecordedPoint> points;
        points.reserve(size_t(count));
        Before last;
        qint64 tMs = m_fromMs;
        for (quint64 i = 0; i < count && ok(); ++i) {
            const quint64 steps = i == 0 ? quint64(m_in[Times].whole()) : m_in[Times].number();
            tMs = qint64(quint64(tMs) + steps * unit);
            points.push_back(readPoint(last, form));
            points.back().tMs = tMs;
            last.take(points.back());
        }
        m_told.push_back(std::move(points));
        return m_told.back();
    }

private:
    const std::vector<RecordedPoint>& fail()
    {
        m_ok = false;
        return m_none;
    }
    RecordedPoint readPoint(const Before& before, GroupForm form)
    {
        RecordedPoint p;
        const quint8 flags = m_in[Flags].byte();
        if (flags & (Gap | Absent)) {
            const double nan = std::numeric_limits<double>::quiet_NaN();
            p.last = p.smallest = p.largest = p.mean = std::copysign(nan, flags & Gap ? 1 : -1);
            return p;
        }
        const auto number = [&](double base, int sign) {
            return base + sign * double(m_in[Extremes].whole());
        };
        if (flags & Whole)
            p.last =
                double(form == AsTheyAre ? m_in[Values].whole() : m_in[Values].after(before.value));
        else
            p.last = m_in[Reals].real();
        p.smallest = p.largest = p.mean = p.last;
        if (!(flags & Stretch))
            return p;
        p.smallest = before.low(p.last);
        p.largest = before.high(p.last);
        if (flags & Low)
            p.smallest = flags & Whole ? number(p.smallest, -1) : m_in[Reals].real();
        if (flags & High)
            p.largest = flags & Whole ? number(p.largest, 1) : m_in[Reals].real();
        const double width = p.largest - p.smallest;
        p.mean = width > 0 ? p.smallest + width * m_in[Means].byte() / fineMeans : p.last;
        return p;
    }

    qint64 m_fromMs;
    std::array<QByteArray, columnCount> m_bytes;
    std::vector<ByteReader> m_in;
    std::vector<std::vector<RecordedPoint>> m_told; ///< of the primitive
    std::vector<RecordedPoint> m_none;
    qint64 m_primitive = 0;
    qint64 m_metric = 0;
    bool m_ok = true;
};

} // namespace

QByteArray encodeBlock(std::span<const SampleFrame> frames, qint64 fromMs, int means)
{
    PartWriter parts;
    SampleWriter writer(means);
    qint64 first = frames.empty() ? 0 : frames.front().primitive;
    for (size_t at = 0; at < frames.size();) {
        const qint64 primitive = frames[at].primitive;
        // All metrics of a primitive are in one part.
        if (PartWriter::isDue(writer.size()) && frames[at - 1].primitive != primitive)
            parts.take(writer.part(), std::exchange(first, primitive));
        const size_t end = endOfGroup(frames, at);
        writer.add(frames.subspan(at, end - at), fromMs, primitive, frames[at].metric);
        at = end;
    }
    parts.take(writer.part(), first);
    return parts.block();
}

bool decodeBlock(const QByteArray& block, qint64 fromMs, std::vector<SampleFrame>& frames,
                 qint64 primitive, qint64 metric)
{
    const size_t was = frames.size();
    const bool whole = eachPart(block, primitive, [&](const QByteArray& part) {
        SampleReader in(part, fromMs);
        while (in.ok() && !in.atEnd()) {
            const std::vector<RecordedPoint>& points = in.next();
            if ((primitive != 0 && in.primitive() != primitive) ||
                (metric != 0 && in.metric() != metric))
                continue;
            if (in.primitive() <= 0 || frames.size() - was + points.size() > mostFrames)
                return false;
            for (const RecordedPoint& point : points)
                frames.push_back({in.primitive(), in.metric(), point});
        }
        return !part.isEmpty() && in.ok();
    });
    if (!whole)
        frames.resize(was);
    return whole;
}

} // namespace lk
