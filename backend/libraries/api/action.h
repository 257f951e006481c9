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

/// A parameter of an action. Dialogs, the command line and its help read these.
struct ActionParameter
{
    /// The syntax of a value. Other values are refused before anything is planned.
    enum class Type : quint8 {
        Text,
        Duration, ///< "30s"; as in the configuration file
        Count,    ///< a whole number, 1 or more
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
    QByteArray preset;  ///< the value used if none is given
    bool oneOf = false; ///< one of the parameters with this flag is required
};

/// The parameter values that the user gave.
struct ActionRequest
{
    std::map<QByteArray, QByteArray> values; ///< by parameter

    bool has(const QByteArray& name) const { return values.contains(name); }
    QByteArray text(const QByteArray& name) const;
    std::optional<qint64> durationMs(const QByteArray& name) const;
    std::optional<qint64> count(const QByteArray& name) const;
};

/// The input of Action::plan(), including the request.
struct ActionContext
{
    const State& state; ///< just read
    /// The replies to all commands of prefetch(), in order. For an action without a target at one
    /// node of a cluster: the replies to ClusterMap::commands().
    std::span<const Reply> prefetched;
    const ActionRequest& request; ///< checked: the values that it has are well formed
    qint64 nowMs = 0;             ///< server time
};

/// An operation that an operator can perform. Pure, without state; one instance serves all threads.
/// Layouts list the actions that apply to them; two layouts may have different actions with the
/// same id.
class Action
{
public:
    virtual ~Action() = default;

    virtual QByteArray id() const = 0;   ///< "lock.release": the kind, a dot, the verb
    virtual QString title() const = 0;   ///< in a menu: "Release the lock"; translated
    virtual QString summary() const = 0; ///< one line for the help; translated
    virtual std::vector<ActionParameter> parameters() const { return {}; }
    /// False if it creates something new and needs no primitive.
    virtual bool needsTarget() const { return true; }
    /// False if it only reads.
    virtual bool writes() const { return true; }
    /// True if it removes something. Such actions are shown apart and confirmed twice.
    virtual bool removes() const { return false; }
    /// The roles of the states whose jobs it takes. Empty if it does not act on jobs.
    virtual std::vector<JobRole> jobRoles() const { return {}; }
    /// Why it cannot be done in this state: a sentence without full stop. Empty if it can.
    virtual QString unavailable(const State& state) const;
    /// The same for a lock that is part of something larger, which acquires and releases it itself.
    QString ownedElsewhere(const State& state) const;

    /// Bounded, read-only commands that the plan needs besides the state. Called again with the
    /// replies so far until it returns no commands.
    virtual std::vector<Command> prefetch(const State& state, const ActionRequest& request,
                                          std::span<const Reply> prefetched) const;
    /// Errors: NotPossible, BadArgument, and those of the replies.
    virtual Result<Plan> plan(const ActionContext& context) const = 0;

    QByteArray verb() const { return id().mid(id().indexOf('.') + 1); }
    const ActionParameter* parameter(const QByteArray& name,
                                     const std::vector<ActionParameter>& all) const;
};

class Layout;
/// All actions for primitives of the layout: its own, then those for any key if
/// Layout::allowsKeyActions().
ActionList actionsFor(const Layout& layout);
/// The action with this id that the layout has, or null.
const Action* findAction(const Layout& layout, const QByteArray& id);

/// The actions of all layouts, one per id, in the order of kinds and menus.
ActionList knownActions();
/// The action with this id ("lock.release"), or null.
const Action* knownAction(const QByteArray& id);

/// True if the action takes jobs from states with that role.
bool takesJobs(const Action& action, JobRole role);

/// The kind that an action with this id is for. Empty if it is for any kind, as "key.delete".
std::optional<Kind> kindOfAction(const QByteArray& id);

/// Checks the request for unknown, missing and malformed parameters. Empty if it is valid.
std::optional<Error> problemWith(const ActionRequest& request, const Action& action);

/// A plan with the fields that all plans of an action on that primitive share.
Plan planFor(const Action& action, const State& state);

/// A command as it is shown in a plan. Arguments that are secret are given as "•••".
QString shown(const Command& command);

/// Warns the operator that the layout is a guess: a sentence. Empty if it is certain.
QString doubtText(const Primitive& primitive);

inline tl::unexpected<Error> notPossible(QString why)
{
    return failure(ErrorCode::NotPossible, std::move(why));
}

} // namespace lk
