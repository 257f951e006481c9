// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"

#include <optional>

namespace lk {

/// One step on the way to a server, and how it went.
struct CheckStage
{
    /// The steps, in the order in which they are taken.
    enum class Id : quint8 {
        Name,        ///< the host's name is looked up
        Ssh,         ///< the jump host lets us in
        Tcp,         ///< the server takes a connection; through ssh: from the jump host
        Socket,      ///< the same of a unix socket
        Tls,         ///< it shows a certificate that is trusted
        Login,       ///< it takes user and password, and answers
        Sentinel,    ///< the Sentinels know the group, and where its master is
        Permissions, ///< what this user may do of what the console sends
        Role,        ///< a master or a replica, of which version
        Cluster,     ///< every master can be reached
    };
    enum class Outcome : quint8 { Ok, Warning, Failed };

    Id id = Id::Name;
    Outcome outcome = Outcome::Ok;
    double ms = -1;             ///< how long it took; -1: it cannot be told apart
    QString text;               ///< what was found; where it failed: what failed and what to do
    std::optional<Error> error; ///< with Failed
};

/// "TCP", "Login": translated where it is a word.
QString stageTitle(CheckStage::Id id);
/// As programs read it: "tcp", "login". Not translated.
QString stageId(CheckStage::Id id);
QString outcomeId(CheckStage::Outcome outcome);

CheckStage failedStage(CheckStage::Id id, double ms, const Error& error);

} // namespace lk
