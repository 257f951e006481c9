// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/url.h"

#include <QMetaType>

namespace lk {

/// The user's choice of a server.
struct ConnectionChoice
{
    ServerUrl url;                 ///< with the password, if one was given
    QString name;                  ///< the server's name in the window; empty: its endpoint
    QString environment;           ///< "production", "staging", ...; empty: none
    QString configFile;            ///< empty: none; was read without an error
    bool demo = false;             ///< the rest is empty then
    bool rememberPassword = false; ///< written to the keyring once the server has accepted it
    bool replaces = false;         ///< the deployment in front is closed for it

    bool operator==(const ConnectionChoice&) const = default;
};

} // namespace lk

Q_DECLARE_METATYPE(lk::ConnectionChoice)
