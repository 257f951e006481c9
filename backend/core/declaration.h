// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/kind.h"

#include <memory>
#include <optional>
#include <vector>

namespace lk {

/// A companion key as the operator wrote it: "{name}" in it stands for the matched key.
struct CompanionRule
{
    QByteArray role; ///< "retry", "processing", ...
    QByteArray key;

    bool operator==(const CompanionRule&) const = default;
};

/// One [[limiter]], [[lock]], [[queue]], [[token]] or [[pattern]] of the configuration file: what
/// Redis does not hold about a primitive. Durations are milliseconds.
struct Declaration
{
    Kind kind = Kind::Limiter;
    QByteArray pattern; ///< a glob over key names
    QByteArray layout;  ///< a layout's id
    std::vector<CompanionRule> companions;
    std::optional<qint64> limit;
    std::optional<qint64> windowMs;
    std::optional<qint64> consumerLimit;
    std::optional<qint64> stuckAfterMs;
    std::optional<qint64> maxTtlMs;
    std::optional<qint64> ttlMs;       ///< the TTL that each visit gives a session
    std::optional<qint64> recordBytes; ///< size of each record of an array
    int line = 0;                      ///< in the file, counted from 1

    bool operator==(const Declaration&) const = default;
    /// Compares everything except the line.
    bool saysTheSameAs(Declaration other) const
    {
        other.line = line;
        return *this == other;
    }

    /// The companion key of that role for a matched key; empty if none is declared.
    QByteArray companion(const QByteArray& role, const QByteArray& name) const
    {
        for (const CompanionRule& rule : companions) {
            if (rule.role == role)
                return QByteArray(rule.key).replace("{name}", name);
        }
        return {};
    }
};

using DeclarationPtr = std::shared_ptr<const Declaration>;

} // namespace lk
