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

/// A layout whose replies are checked before it sees them: their number, error replies, and for a
/// declared primitive the main key's type. What is left for a layout is to read good replies.
class PlannedLayout : public Layout
{
public:
    std::vector<Command> plan(const Primitive& primitive, const ReadContext& context) const final;
    std::vector<Command> further(const Primitive& primitive, const ReadContext& context,
                                 std::span<const Command> commands,
                                 std::span<const Reply> replies) const final;
    Result<DecodeResult> decode(const Primitive& primitive, std::span<const Command> commands,
                                std::span<const Reply> replies,
                                const ReadContext& context) const final;
    std::optional<DecodeResult> decodeProbe(const Primitive& primitive, const Probe& probe,
                                            const ReadContext& context) const override;

protected:
    /// Whether reads() asks for a table row what a probe asks of the main key, and no more: its
    /// content, then its TTL. Then read() gets the probe's replies.
    virtual bool readsAsProbed() const { return false; }
    /// The commands to read by. Which commands they are does not depend on the time, since read()
    /// finds its replies by position.
    virtual std::vector<Command> reads(const Primitive& primitive,
                                       const ReadContext& context) const = 0;
    /// A further step, see Layout::further(). replies: of all steps so far, in order.
    virtual std::vector<Command> furtherReads(const Primitive& primitive,
                                              const ReadContext& context,
                                              std::span<const Reply> replies) const;
    /// Whether that command's reply may be an error: what a user may not ask, or a key of another
    /// type beside the primitive's own. read() judges it.
    virtual bool mayFail(const Primitive&, const Command&) const { return false; }
    /// Decodes their replies, none of which is an error but of commands that may fail.
    virtual DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                              const ReadContext& context) const = 0;

private:
    std::optional<Error> problemIn(const Primitive& primitive, std::span<const Command> commands,
                                   std::span<const Reply> replies) const;
};

} // namespace lk
