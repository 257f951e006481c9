// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/codec/blockcodec.h"

#include "backend/history/store/codec/blockparts.h"
#include "backend/history/store/codec/columns.h"
#include "backend/history/store/codec/textdelta.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace lk {

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

namespace {

enum Column : size_t {
    Texts,  ///< the first state of each primitive
    Groups, ///< the primitives and how many states they have
    Times,  ///< relative to the previous one
    Shapes, ///< where a state differs from the previous one
    Bytes,  ///< the bytes that differ
    columnCount
};
constexpr size_t blockCodecTextColumns = columnCount; // all columns contain repeated sequences

/// Reads one part. ok() is false if it is broken.
class StateReader
{
public:
    explicit StateReader(const QByteArray& part)
    {
        ByteReader in(part);
        for (QByteArray& column : m_bytes)
            column = readColumn(in);
        if (!in.ok() || !in.atEnd())
            m_in[Groups].fail();
        else
            std::ranges::transform(m_bytes, m_in.begin(),
                                   [](const QByteArray& column) { return ByteReader(column); });
    }
    bool ok() const { return std::ranges::all_of(m_in, &ByteReader::ok); }
    bool atEnd() const { return m_in[Groups].atEnd(); }
    /// Appends the states of the next primitive. Returns false if there are too many or the data is
    /// broken.
    bool next(qint64 fromMs, qint64 wanted, size_t most, std::vector<StateFrame>& frames)
    {
        m_primitive = m_in[Groups].after(m_primitive);
        const quint64 count = m_in[Groups].number();
        if (m_primitive <= 0 || count > quint64(m_bytes[Times].size()))
            return false;
        const bool isWanted = wanted == 0 || wanted == m_primitive;
        QByteArray last;
        qint64 tMs = fromMs;
        for (quint64 i = 0; i < count && ok(); ++i) {
            tMs = m_in[Times].after(tMs);
            if (i == 0)
                last = m_in[Texts].text();
            else if (isWanted)
                last = readAgainst(m_in[Shapes], m_in[Bytes], last);
            else
                skipAgainst(m_in[Shapes], m_in[Bytes]);
            if (!isWanted)
                continue;
            if (frames.size() >= most)
                return false;
            frames.push_back({m_primitive, tMs, last});
        }
        return true;
    }

private:
    std::array<QByteArray, columnCount> m_bytes;
    std::vector<ByteReader> m_in{columnCount, ByteReader({})};
    qint64 m_primitive = 0;
};

} // namespace

QByteArray encodeBlock(std::span<const StateFrame> frames, qint64 fromMs)
{
    PartWriter parts;
    ColumnSet<columnCount> columns;
    qint64 first = frames.empty() ? 0 : frames.front().primitive;
    qint64 before = 0;
    const auto part = [&] {
        ByteWriter out;
        columns.take(out, blockCodecTextColumns);
        before = 0;
        return out.take();
    };
    for (size_t at = 0; at < frames.size();) {
        if (PartWriter::isDue(columns.size()))
            parts.take(part(), std::exchange(first, frames[at].primitive));
        const size_t end = endOfGroup(frames, at);
        columns[Groups].whole(frames[at].primitive - before);
        before = frames[at].primitive;
        columns[Groups].number(end - at);
        qint64 tMs = fromMs;
        const QByteArray* last = nullptr;
        for (; at < end; ++at) {
            columns[Times].whole(frames[at].tMs - tMs);
            tMs = frames[at].tMs;
            if (last)
                writeAgainst(columns[Shapes], columns[Bytes], *last, frames[at].state);
            else
                columns[Texts].text(frames[at].state);
            last = &frames[at].state;
        }
    }
    parts.take(part(), first);
    return parts.block();
}

bool decodeBlock(const QByteArray& block, qint64 fromMs, std::vector<StateFrame>& frames,
                 qint64 primitive)
{
    const size_t was = frames.size();
    const bool whole = eachPart(block, primitive, [&](const QByteArray& part) {
        StateReader in(part);
        while (in.ok() && !in.atEnd()) {
            if (!in.next(fromMs, primitive, was + mostFrames, frames))
                return false;
        }
        return !part.isEmpty() && in.ok();
    });
    if (!whole)
        frames.resize(was);
    return whole;
}

} // namespace lk
