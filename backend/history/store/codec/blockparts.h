// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/compact/bytes.h"
#include "backend/history/store/codec/blockcodec.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace lk {

/// More are in no block that was written: of a few bytes a broken one could make more than fit.
inline constexpr size_t mostFrames = 8'000'000;

/// Puts the primitives of a block together into parts, each of which can be read alone: who wants
/// one primitive need not unpack the others.
class PartWriter
{
public:
    /// What the primitives up to this one have is a part by now if it is so long: they would hardly
    /// be smaller together.
    static bool isDue(qsizetype bytes) { return bytes >= partBytes; }
    /// first: its first primitive. It gets a checksum.
    void take(const QByteArray& part, qint64 first);
    QByteArray block() const;

private:
    static constexpr qsizetype partBytes = 48 * 1024;

    struct Part
    {
        qint64 first;
        QByteArray bytes;
    };
    std::vector<Part> m_parts;
};

/// Calls take() with each part that may have something of the primitive, of all if that is 0.
/// False: the block is broken, or take() has said so.
bool eachPart(const QByteArray& block, qint64 primitive,
              const std::function<bool(const QByteArray&)>& take);

/// Where the frames of one primitive, or of one of its metrics, end.
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

} // namespace lk
