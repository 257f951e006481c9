// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/codec/holdcodec.h"

#include "backend/history/store/codec/blockparts.h"
#include "backend/history/store/codec/columns.h"

#include <QHash>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace lk {

namespace {

enum Column : size_t {
    Owners, ///< each once, in order of appearance
    Groups, ///< the primitives and how many holds they have
    Starts, ///< relative to the end of the previous one
    Lengths,
    Leases, ///< their ends, relative to those of the holds
    Flags,
    Counts,
    OwnerOf, ///< its place among the owners
    columnCount
};
constexpr size_t holdCodecTextColumns = 1;

constexpr quint8 hasLease = 128; // stored with the flags

size_t endOfPrimitive(std::span<const HoldFrame> frames, size_t from)
{
    return size_t(std::find_if(frames.begin() + qptrdiff(from), frames.end(),
                               [&](const HoldFrame& frame) {
                                   return frame.primitive != frames[from].primitive;
                               }) -
                  frames.begin());
}

class HoldWriter
{
public:
    void add(std::span<const HoldFrame> holds, qint64 fromMs)
    {
        const qint64 primitive = holds.front().primitive;
        m_columns[Groups].whole(primitive - std::exchange(m_primitive, primitive));
        m_columns[Groups].number(holds.size());
        qint64 beforeMs = fromMs;
        for (const HoldFrame& hold : holds) {
            m_columns[Starts].whole(hold.fromMs - beforeMs);
            m_columns[Lengths].whole(hold.toMs - hold.fromMs);
            if (hold.leaseEndMs)
                m_columns[Leases].whole(*hold.leaseEndMs - hold.toMs);
            m_columns[Flags].byte(quint8(hold.flags | (hold.leaseEndMs ? hasLease : 0)));
            m_columns[Counts].whole(hold.count);
            m_columns[OwnerOf].number(placeOf(hold.owner));
            beforeMs = hold.toMs;
        }
    }
    qsizetype size() const { return m_columns.size(); }
    QByteArray part()
    {
        ByteWriter out;
        m_columns.take(out, holdCodecTextColumns);
        m_owners.clear();
        m_primitive = 0;
        return out.take();
    }

private:
    quint64 placeOf(const QByteArray& owner)
    {
        const auto known = m_owners.constFind(owner);
        if (known != m_owners.cend())
            return *known;
        const auto place = quint64(m_owners.size());
        m_owners.insert(owner, place);
        m_columns[Owners].text(owner);
        return place;
    }

    ColumnSet<columnCount> m_columns;
    QHash<QByteArray, quint64> m_owners;
    qint64 m_primitive = 0;
};

bool readPart(const QByteArray& part, qint64 fromMs, qint64 wanted, std::vector<HoldFrame>& frames)
{
    ByteReader all(part);
    std::array<QByteArray, columnCount> bytes;
    for (QByteArray& column : bytes)
        column = readColumn(all);
    std::vector<ByteReader> in(bytes.begin(), bytes.end());
    if (!all.ok() || !all.atEnd())
        return false;
    const auto isOk = [&] { return std::ranges::all_of(in, &ByteReader::ok); };
    std::vector<QByteArray> owners;
    while (in[Owners].ok() && !in[Owners].atEnd())
        owners.push_back(in[Owners].text());
    qint64 primitive = 0;
    while (isOk() && !in[Groups].atEnd()) {
        primitive = in[Groups].after(primitive);
        const quint64 count = in[Groups].number();
        if (primitive <= 0 || count > quint64(bytes[Flags].size()))
            return false;
        qint64 beforeMs = fromMs;
        for (quint64 i = 0; i < count && isOk(); ++i) {
            HoldFrame hold;
            hold.primitive = primitive;
            hold.fromMs = in[Starts].after(beforeMs);
            hold.toMs = beforeMs = in[Lengths].after(hold.fromMs);
            const quint8 flags = in[Flags].byte();
            if (flags & hasLease)
                hold.leaseEndMs = in[Leases].after(hold.toMs);
            hold.flags = quint8(flags & ~(hasLease | HoldFrame::Open));
            hold.count = in[Counts].whole();
            const quint64 owner = in[OwnerOf].number();
            if (owner >= owners.size())
                return false;
            hold.owner = owners[size_t(owner)];
            if (wanted == 0 || wanted == primitive)
                frames.push_back(std::move(hold));
        }
    }
    return isOk();
}

} // namespace

void sortFrames(std::vector<HoldFrame>& frames)
{
    std::ranges::stable_sort(frames, [](const HoldFrame& a, const HoldFrame& b) {
        return std::tie(a.primitive, a.fromMs) < std::tie(b.primitive, b.fromMs);
    });
}

QByteArray encodeHolds(std::span<const HoldFrame> frames, qint64 fromMs)
{
    PartWriter parts;
    HoldWriter writer;
    qint64 first = frames.empty() ? 0 : frames.front().primitive;
    for (size_t at = 0; at < frames.size();) {
        if (PartWriter::isDue(writer.size()))
            parts.take(writer.part(), std::exchange(first, frames[at].primitive));
        const size_t end = endOfPrimitive(frames, at);
        writer.add(frames.subspan(at, end - at), fromMs);
        at = end;
    }
    parts.take(writer.part(), first);
    return parts.block();
}

bool decodeHolds(const QByteArray& block, qint64 fromMs, std::vector<HoldFrame>& frames,
                 qint64 primitive)
{
    const size_t was = frames.size();
    const bool whole = eachPart(block, primitive, [&](const QByteArray& part) {
        return readPart(part, fromMs, primitive, frames) && frames.size() - was <= mostFrames;
    });
    if (!whole)
        frames.resize(was);
    return whole;
}

} // namespace lk
