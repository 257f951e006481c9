// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/compact/bytes.h"
#include "backend/history/store/codec/blockcodec.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace lk {

/// The most frames that a written block contains. A broken block of a few bytes could otherwise
/// expand to more than fits in memory.
inline constexpr size_t mostFrames = 8'000'000;

/// Groups the primitives of a block into parts. Each part can be read alone, so that reading one
/// primitive does not unpack the others.
class PartWriter
{
public:
    /// Returns true if the bytes of the primitives so far are long enough for a part. A longer part
    /// would hardly compress better.
    static bool isDue(qsizetype bytes) { return bytes >= partBytes; }
    /// Adds a part with a checksum. first: its first primitive.
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

/// Calls take() with each part that may contain the primitive, or with all parts if that is 0.
/// Returns false if the block is broken or take() returned false.
bool eachPart(const QByteArray& block, qint64 primitive,
              const std::function<bool(const QByteArray&)>& take);

/// Returns the index at which the frames of one primitive, or of one of its metrics, end.
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
