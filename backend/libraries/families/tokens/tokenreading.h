// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

/// Reads a string as a token that its redeemer deletes. Never reads the payload, only whether the
/// key exists and, in detail, its size.
std::vector<Command> stringTokenReads(const QByteArray& key, const ReadContext& context);
State stringTokenState(std::span<const Reply> replies, const ReadContext& context);

/// Reads a hash as a token whose uses are in the first of useFields that exists.
std::vector<Command> hashTokenReads(const QByteArray& key,
                                    const std::vector<QByteArray>& useFields);
State hashTokenState(std::span<const Reply> replies, const std::vector<QByteArray>& useFields,
                     const ReadContext& context);

} // namespace lk
