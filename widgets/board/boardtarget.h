// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/session/board/rowset.h"

#include <QString>

#include <variant>

namespace lk {

/// One primitive, selected on the board of its kind.
struct PrimitiveTarget
{
    Kind kind = Kind::Limiter;
    Handle handle = noHandle;
};

/// One job, opened over its queue's board.
struct JobTarget
{
    Handle queue = noHandle;
    QueueJob job;
};

/// The rows of a kind that fit; both empty: all.
struct RowsTarget
{
    /// How the board is sorted then.
    enum class Order : quint8 {
        AsItIs,
        WorstFirst,
        SoonestFirst, ///< to expire
    };

    Kind kind = Kind::Limiter;
    QString filter; ///< as typed into the board's field
    RowSet set;     ///< those alone
    Order order = Order::AsItIs;
};

/// One finding, selected on its board.
struct FindingTarget
{
    quint64 id = 0;
};

/// One alert, selected on its board; empty: the board.
struct AlertTarget
{
    QByteArray id;
};

/// The server itself.
struct ServerTarget
{};

/// All boards at that moment: server time in milliseconds. With a name, that primitive is selected
/// on its board as soon as the moment is loaded; it may be gone by now.
struct MomentTarget
{
    qint64 tMs = 0;
    Kind kind = Kind::Limiter;
    PrimitiveId primitive = {}; ///< as recorded; with an empty layout the one that has this key
};

/// The master of a replica, instead of the replica: "10.0.0.1:6379". Empty: the replica's whole
/// cluster.
struct MasterTarget
{
    QString endpoint;
};

/// A request from one board to show something on another. A value; knows no board.
using BoardTarget = std::variant<PrimitiveTarget, JobTarget, RowsTarget, FindingTarget, AlertTarget,
                                 ServerTarget, MomentTarget, MasterTarget>;

} // namespace lk
