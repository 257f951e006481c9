// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/url.h"

#include <optional>

// What the parts of an address are written as.
namespace lk::urltext {

tl::unexpected<Error> bad(const QString& what);
/// A special character of a login was most likely not written as %NN.
tl::unexpected<Error> unencoded();

bool isControl(QChar c);
/// Percent-decoded; nothing where a "%" stands for itself, or for what is no UTF-8.
std::optional<QString> decoded(QStringView text);
QString encoded(const QString& text, const QByteArray& kept = {});
/// Of digits alone.
std::optional<int> digits(QStringView text, int largest);

/// "host", "host:port", "[::1]:port". The port is port where none is given; 0: it must be given.
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
