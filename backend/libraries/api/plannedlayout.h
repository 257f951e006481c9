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

/// A layout whose replies are checked before it reads them: their number, error replies and, for a
/// declared primitive, the main key's type. Subclasses only read good replies.
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
    /// True if reads() for a table row returns exactly the commands of a probe of the main key: its
    /// content, then its TTL. read() then gets the probe's replies.
    virtual bool readsAsProbed() const { return false; }
    /// The commands of the read. They must not depend on the time, since read() finds its replies
    /// by position.
    virtual std::vector<Command> reads(const Primitive& primitive,
                                       const ReadContext& context) const = 0;
    /// A further step, see Layout::further(). replies: those of all steps so far, in order.
    virtual std::vector<Command> furtherReads(const Primitive& primitive,
                                              const ReadContext& context,
                                              std::span<const Reply> replies) const;
    /// True if that command's reply may be an error: a command that the user may not run, or a key
    /// of another type beside the primitive's own. read() handles it.
    virtual bool mayFail(const Primitive&, const Command&) const { return false; }
    /// Decodes the replies. Only commands that mayFail() can have an error reply.
    virtual DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                              const ReadContext& context) const = 0;

private:
    std::optional<Error> problemIn(const Primitive& primitive, std::span<const Command> commands,
                                   std::span<const Reply> replies) const;
};

} // namespace lk
