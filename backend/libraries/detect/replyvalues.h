// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/detect/probe.h"

namespace lk {

// Converts replies to values. All functions accept any reply; none assumes a type.

/// A whole number with nothing around it: "5", "-3"; not "5 ", "05x", "1e3" or what overflows.
std::optional<qint64> wholeNumber(const QByteArray& text);
/// A finite decimal number with nothing around it, "1e3" included.
std::optional<double> decimalNumber(QByteArrayView text);

/// A score as the server prints it, "inf" included; never NaN.
std::optional<double> scoreOf(QByteArrayView text);

/// An integer reply, or a text reply that is one.
std::optional<qint64> integerOf(const Reply& reply);

/// A count: the integer, or 0 for anything else.
qint64 countOf(const Reply& reply);

/// An array's items that are texts: ids, members.
std::vector<QByteArray> textsOf(const Reply& reply);

/// The reply of PTTL: -2 no such key, -1 no TTL.
struct Ttl
{
    bool exists = false;
    std::optional<qint64> ms; ///< empty if it does not expire
};
Ttl ttlOf(const Reply& reply);

/// The members of a WITHSCORES reply. Malformed pairs are left out; a score is never NaN.
std::vector<ScoredMember> scoredMembersOf(const Reply& reply);

/// The value of one of the asked fields in an HMGET reply. Nothing if the hash does not have it.
std::optional<QByteArray> fieldOf(const Reply& reply, const std::vector<QByteArray>& asked,
                                  std::string_view field);

} // namespace lk
