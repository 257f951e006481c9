// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

#include <QCoreApplication>

namespace lk {

/// Texts of layouts: titles and facts.
struct LayoutText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Layout)
};

/// A layout whose primitive is read in one step.
class PlannedLayout : public Layout
{
public:
    Read<DecodeResult> readState(const Primitive& primitive,
                                 const ReadContext& context) const final;
    std::optional<DecodeResult> decodeProbe(const Primitive& primitive, const Probe& probe,
                                            const ReadContext& context) const override;

protected:
    /// True if reads() for a table row returns exactly the commands of a probe of the main key: its
    /// content, then its TTL. read() then gets the probe's replies.
    virtual bool readsAsProbed() const { return false; }
    /// The commands of the read.
    virtual std::vector<Command> reads(const Primitive& primitive,
                                       const ReadContext& context) const = 0;
    /// Decodes the replies. Only commands that mayFail() can have an error reply.
    virtual DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                              const ReadContext& context) const = 0;
};

} // namespace lk
