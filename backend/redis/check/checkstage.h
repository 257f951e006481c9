// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"

#include <optional>

namespace lk {

/// One step on the way to a server, and its outcome.
struct CheckStage
{
    /// The steps, in the order in which they are taken.
    enum class Id : quint8 {
        Name,        ///< the host's name is looked up
        Ssh,         ///< the login to the jump host
        Tcp,         ///< the server accepts a connection; through ssh: from the jump host
        Socket,      ///< the same for a unix socket
        Tls,         ///< its certificate is trusted
        Login,       ///< it accepts user and password, and answers
        Sentinel,    ///< the Sentinels know the group and its master
        Permissions, ///< the commands that this user may not run
        Role,        ///< a master or a replica, and its version
        Cluster,     ///< every master can be reached
    };
    enum class Outcome : quint8 { Ok, Warning, Failed };

    Id id = Id::Name;
    Outcome outcome = Outcome::Ok;
    double ms = -1;             ///< the duration; -1: it cannot be measured separately
    QString text;               ///< the finding, or after a failure its cause and the remedy
    std::optional<Error> error; ///< with Failed
};

/// "TCP", "Login": translated where it is a word.
QString stageTitle(CheckStage::Id id);
/// As programs read it: "tcp", "login". Not translated.
QString stageId(CheckStage::Id id);
QString outcomeId(CheckStage::Outcome outcome);

CheckStage failedStage(CheckStage::Id id, double ms, const Error& error);

} // namespace lk
