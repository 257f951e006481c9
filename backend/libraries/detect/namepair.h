// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <optional>
#include <vector>

namespace lk {

// The names by which a limiter's window and its future window find each other:
// api:rate / api:retry, rate:api / retry:api, apiRate / apiRetry, api / api:retry.

/// True if the name has the place of a future window in such a pair.
bool isRetryName(const QByteArray& name);

/// What the future window of this window may be called, likeliest first; none if the name does
/// not say that it is a window.
std::vector<QByteArray> retryNamesFor(const QByteArray& window);
/// What the window of this future window may be called, likeliest first.
std::vector<QByteArray> windowNamesFor(const QByteArray& retry);

/// What the pair is called: what both names share ("api"), else the window's name.
QByteArray pairName(const QByteArray& window, const QByteArray& retry);

} // namespace lk
