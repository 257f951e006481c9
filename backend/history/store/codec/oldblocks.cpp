// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/codec/oldblocks.h"

#include "backend/history/store/codec/blockparts.h"
#include "backend/history/store/codec/textdelta.h"

#include <cmath>
#include <utility>

namespace lk {

namespace {

// What a point's flags say; in this order they are followed by what they announce.
enum PointFlag : quint8 {
    Gap = 1,    // nothing is known
    Absent = 2, // there is nothing to measure
    Whole = 4,  // last is a whole number, against the one before
    Range = 8,  // smallest, largest and mean are not all the same as last
};

// So much of a whole number a double holds.
constexpr double oldBlocksMostWhole = 9e15;

bool oldBlocksIsWhole(double value)
{
    return std::abs(value) < oldBlocksMostWhole && value == std::floor(value);
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
    return std::isnan(p.last) || !oldBlocksIsWhole(p.last) ? before : p.last;
}

} // namespace

bool decodeStates(const QByteArray& block, qint64 fromMs, std::vector<StateFrame>& frames,
                  qint64 primitive)
{
    const size_t was = frames.size();
    const bool againstLast = formOf(block) == BlockForm::PartsAgainstLast;
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
                    last = readAgainst(in, in, last);
                else
                    skipAgainst(in, in);
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

bool decodePoints(const QByteArray& block, qint64 fromMs, std::vector<SampleFrame>& frames,
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
