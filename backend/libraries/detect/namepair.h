// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <optional>
#include <vector>

namespace lk {

// The names by which a limiter's window and its future window find each other:
// api:rate / api:retry, rate:api / retry:api, apiRate / apiRetry, api / api:retry.

/// True if the name has the form of a future window in such a pair.
bool isRetryName(const QByteArray& name);

/// Possible names of the future window of this window, likeliest first. Empty if the name is not
/// that of a window.
std::vector<QByteArray> retryNamesFor(const QByteArray& window);
/// Possible names of the window of this future window, likeliest first.
std::vector<QByteArray> windowNamesFor(const QByteArray& retry);

/// The pair's name: the part that both names share ("api"), else the window's name.
QByteArray pairName(const QByteArray& window, const QByteArray& retry);

} // namespace lk
