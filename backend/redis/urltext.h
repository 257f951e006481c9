// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/url.h"

#include <optional>

// The text form of the parts of an address.
namespace lk::urltext {

tl::unexpected<Error> bad(const QString& what);
/// The error for a login with a special character that was probably not written as %NN.
tl::unexpected<Error> unencoded();

bool isControl(QChar c);
/// Percent-decodes the text. Empty if a "%" starts no valid sequence, or if the result is not valid
/// UTF-8.
std::optional<QString> decoded(QStringView text);
QString encoded(const QString& text, const QByteArray& kept = {});
/// Parses a number of digits only.
std::optional<int> digits(QStringView text, int largest);

/// Parses "host", "host:port" or "[::1]:port". port is the default; 0: the text must contain one.
/// Errors: BadUrl, as jumpHost()'s.
Result<ServerUrl::Address> address(QStringView text, quint16 port);

/// "[user@]host[:port]"; the host may be a name of the user's ssh configuration.
struct JumpHost
{
    QString user; ///< empty: as ssh is configured
    QString host;
    quint16 port = 0; ///< 0: as ssh is configured
};
Result<JumpHost> jumpHost(QStringView text);

} // namespace lk::urltext
