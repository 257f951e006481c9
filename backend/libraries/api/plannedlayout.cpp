// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/api/plannedlayout.h"

namespace lk {

Read<DecodeResult> PlannedLayout::readState(const Primitive& primitive,
                                            const ReadContext& context) const
{
    const std::span<const Reply> replies = co_await askLast(reads(primitive, context));
    co_return read(primitive, replies, context);
}

std::optional<DecodeResult> PlannedLayout::decodeProbe(const Primitive& primitive,
                                                       const Probe& probe,
                                                       const ReadContext& context) const
{
    constexpr size_t asked = 2;
    if (!readsAsProbed() || probe.replies.size() < asked)
        return std::nullopt;
    return read(primitive, std::span(probe.replies).first(asked), context);
}

} // namespace lk
