// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "backend/libraries/api/actionlist.h"
#include "backend/libraries/api/plan.h"
#include "backend/redis/protocol/command.h"
#include "backend/redis/protocol/reply.h"

#include <QCoreApplication>

#include <map>
#include <span>

namespace lk {

/// Texts of actions.
struct ActionText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Action)
};

/// One thing that an action has to be told. Dialogs, the command line and its help read these.
struct ActionParameter
{
    /// How a value is written, and what is refused before anything is planned.
    enum class Type : quint8 {
        Text,
        Duration, ///< "30s"; as in the configuration file
        Count,    ///< a whole number from 1 on
        Flag,     ///< given or not
        Choice,   ///< one of choices
        Payload,  ///< text that may be long and secret; a file on the command line
        Items,    ///< chosen rows: fingerprints in hex, separated by commas
    };
    QByteArray name; ///< "owner"; on the command line --owner
    Type type = Type::Text;
    QString label; ///< in a dialog; translated
    QString help;  ///< one line; translated
    bool required = false;
    QByteArrayList choices;
    QByteArray preset;  ///< what is meant where nothing is given
    bool oneOf = false; ///< of those that are so, one is required
};

/// What a person asked for.
struct ActionRequest
{
    std::map<QByteArray, QByteArray> values; ///< by parameter

    bool has(const QByteArray& name) const { return values.contains(name); }
    QByteArray text(const QByteArray& name) const;
    std::optional<qint64> durationMs(const QByteArray& name) const;
    std::optional<qint64> count(const QByteArray& name) const;
};

/// What a plan is made of besides the request.
struct ActionContext
{
    const State& state; ///< just read
    /// The answers to all that prefetch() asked, in order; of an action without a target at one
    /// node of a cluster those to ClusterMap::commands().
    std::span<const Reply> prefetched;
    const ActionRequest& request; ///< checked: what is there is well formed
    qint64 nowMs = 0;             ///< server time
};

/// One thing that an operator can do. Pure, without state; one instance serves all threads. Layouts
/// list those that make sense for them; two layouts may have different actions of the same id.
class Action
{
public:
    virtual ~Action() = default;

    virtual QByteArray id() const = 0;   ///< "lock.release": the kind, a dot, the verb
    virtual QString title() const = 0;   ///< in a menu: "Release the lock"; translated
    virtual QString summary() const = 0; ///< one line for the help; translated
    virtual std::vector<ActionParameter> parameters() const { return {}; }
    /// False: it makes something new and needs no primitive.
    virtual bool needsTarget() const { return true; }
    /// False: it only looks.
    virtual bool writes() const { return true; }
    /// Removes something: shown apart, asked about twice.
    virtual bool removes() const { return false; }
    /// The states, by role, whose jobs it takes; empty: it is not about jobs.
    virtual std::vector<JobRole> jobRoles() const { return {}; }
    /// Why it cannot be done in this state, a sentence without full stop; empty: it can.
    virtual QString unavailable(const State& state) const;
    /// The same of what is part of something larger: that takes care of it by itself.
    QString ownedElsewhere(const State& state) const;

    /// Bounded, read-only commands that the plan needs besides the state. Asked again with the
    /// replies so far until it asks for nothing more.
    virtual std::vector<Command> prefetch(const State& state, const ActionRequest& request,
                                          std::span<const Reply> prefetched) const;
    /// Errors: NotPossible, BadArgument, and what the replies say.
    virtual Result<Plan> plan(const ActionContext& context) const = 0;

    QByteArray verb() const { return id().mid(id().indexOf('.') + 1); }
    const ActionParameter* parameter(const QByteArray& name,
                                     const std::vector<ActionParameter>& all) const;
};

class Layout;
/// All that can be done to a primitive of that layout: its own actions, then those for any key
/// unless its keys are its library's alone.
ActionList actionsFor(const Layout& layout);
/// The action of that id which the layout has; null if it has none.
const Action* findAction(const Layout& layout, const QByteArray& id);

/// Every action that any layout has, one of each id, in the order of kinds and menus.
ActionList knownActions();
/// The action of that id ("lock.release"), or null.
const Action* knownAction(const QByteArray& id);

/// It is about jobs of states of that role.
bool takesJobs(const Action& action, JobRole role);

/// What an action of that id is for; nothing: any kind, as "key.delete" is.
std::optional<Kind> kindOfAction(const QByteArray& id);

/// What is wrong with the request: unknown, missing or malformed parameters. Nothing if it is fine.
std::optional<Error> problemWith(const ActionRequest& request, const Action& action);

/// A plan with what every plan of an action on that primitive has.
Plan planFor(const Action& action, const State& state);

/// A command as it is shown in a plan. Arguments that are secret are given as "•••".
QString shown(const Command& command);

/// Whoever acts on what is not proven to be what it looks like is to know that: a sentence; empty
/// for what is certain.
QString doubtText(const Primitive& primitive);

inline tl::unexpected<Error> notPossible(QString why)
{
    return failure(ErrorCode::NotPossible, std::move(why));
}

} // namespace lk
