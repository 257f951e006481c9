// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"
#include "backend/libraries/api/actionlist.h"
#include "backend/libraries/api/configfield.h"
#include "backend/libraries/detect/probe.h"
#include "backend/text/columns/column.h"

#include <functional>
#include <memory>
#include <span>

namespace lk {

/// The further proof that a merely possible claim needs: see KeyForms.
struct FurtherProof
{
    /// The kind of proof.
    enum class Way : quint8 {
        None,     ///< nothing
        Siblings, ///< so many keys of one form
        Growth,   ///< so many counters of one form that only grow until they end
        Turnover, ///< a key whose value was so often followed by another of the same shape
    };
    Way way = Way::None;
    quint8 least = 0;
    bool together = false; ///< Growth: that they end at one moment is enough
};

/// A layout's claim of a key: which primitive it belongs to and in which role.
/// Claims of several keys that name the same primitive are merged, so a companion's claim names
/// the same primitive as the main key's.
struct Claim
{
    PrimitiveId id;
    std::vector<KeyRole> keys; ///< what this claim knows of; the main key first where it is known
    double confidence = 0; ///< 0 to 1; below likelyFrom only offered, from certainFrom on proven
    QByteArray label = {}; ///< see Primitive::label
    Doubt doubt = Doubt::NameOnly; ///< why it is no more than possible, where it is not
    FurtherProof further = {};     ///< what would make it more than possible
    bool openName = false;         ///< see Primitive::openName
};

/// How much of a primitive is wanted.
enum class Depth : quint8 {
    Summary, ///< what a table row shows
    Detail,  ///< what the detail pane of the selected primitive shows
};

/// What a plan may ask for of that which weighs: the jobs of a queue, the items of a list.
enum class PayloadRead : quint8 {
    Full,  ///< themselves, within the layout's bounds
    Probe, ///< what tells whether they changed: lengths, weights, and the ends where they are light
    None,  ///< nothing: those of the previous state stay
};

/// What a layout may use to plan and decode besides the primitive itself.
struct ReadContext
{
    qint64 nowMs = 0; ///< server time; at planning an estimate, at decoding exact
    Depth depth = Depth::Summary;
    bool large = false; ///< the short plan was not enough: plan for a big value
    /// The last state decoded; in the second step of one read the state of the first. May be null.
    const State* previous = nullptr;
    PayloadRead payloads = PayloadRead::Full;
    bool unchanged = false; ///< with None: a change feed told of no write since they were read
};

/// What decode made of the replies.
struct DecodeResult
{
    State state;             ///< primitive and asOfMs are filled in by the reader
    bool wantsLarge = false; ///< the replies were cut: a further step with ReadContext::large
};

/// Where a layout comes from; empty where nobody says.
struct LayoutOrigin
{
    QByteArray family; ///< of one that a file describes
    QString library;
    QString versions;
    QString url;    ///< the library's own documentation
    QString source; ///< the file of an operator's own; empty: built in
};

/// How one library or recipe lays a primitive out in keys. Pure: no I/O, no clock, no state; one
/// instance serves all threads.
class Layout
{
public:
    virtual ~Layout() = default;

    virtual QByteArray id() const = 0; ///< "redisson-rate-limiter"; in files and JSON
    virtual QString title() const = 0; ///< "Redisson rate limiter"; translated
    virtual Kind kind() const = 0;
    virtual LayoutOrigin origin() const { return {}; }

    /// The types of key that classify() wants to see.
    virtual bool wants(KeyType type) const = 0;
    /// Tells keys that may belong to the primitive of that name although no name leads to them: a
    /// worker's processing list, a consumer. Only a scan finds those. Empty: there are none.
    virtual std::function<bool(const QByteArray& key)> furtherKeys(const QByteArray& name) const;
    /// The primitives (PrimitiveId::name) of this layout that a key of that name would be a mere
    /// part of, as a job's hash is of its queue; likeliest first. While one of them is known the
    /// key is counted as matched and neither probed nor held. Its probe may claim the primitive
    /// without listing the key.
    virtual std::vector<QByteArray> ownersOf(const QByteArray& name) const;
    /// What the names of all such primitives of one application begin with, "acme:rq:": ownersOf()
    /// of a key that is a part of no single one of them, as a worker's hash, names that. Empty:
    /// they have nothing in common.
    virtual QByteArray stemOf(const QByteArray& name) const;
    /// Hash fields that classify() and the plans look at. Each is asked of every hash there is:
    /// few.
    virtual std::vector<QByteArray> hashFields() const { return {}; }
    /// Whether the probed key is part of such a primitive. Nothing if not.
    virtual std::optional<Claim> classify(const Probe& probe) const = 0;

    /// Further primitives that the probed key tells of besides the one that classify() named: a set
    /// of queues' names. Their keys are assumed until they are seen.
    virtual std::vector<Claim> alsoNamed(const Probe& probe) const;

    /// The claim that a declaration makes for a key that matches its pattern. The default names
    /// the primitive after the key and gives it mainRole() and the declared companions.
    virtual Claim declared(const Declaration& declaration, const QByteArray& name) const;
    /// The role of the key that a declaration's pattern matches: "window", "lock", "ready".
    virtual QByteArray mainRole() const = 0;
    /// The type of that key, so that a declared key of another type can be reported.
    virtual KeyType mainType() const = 0;
    /// What may be declared of such a primitive besides what may be of any of its kind. A field of
    /// the kind's that is named here too is read as it is here.
    virtual std::vector<ConfigField> configFields() const { return {}; }
    /// A declaration as it stands in the configuration file, to teach people who see none of the
    /// kind; empty: the layout is not the one to teach the kind with.
    virtual QString exampleDeclaration() const { return {}; }
    /// Whether a key of that type is taken to be such a primitive where a person says that it is
    /// one of the kind and no layout claims it. None: no key has that name yet.
    virtual bool isPlainest(KeyType) const { return false; }

    /// What a detail, an export and an outcome tell of such a primitive: the kind's columns, or
    /// columnsWith() more. A board shows those of the kind in every row. Lives as long as this.
    virtual std::span<const Column> columns() const { return lk::columns(kind()); }
    /// Its numbers over time: the kind's metrics, or metricsWith() more. Lives as long as this.
    virtual std::span<const Metric> metrics() const { return lk::metrics(kind()); }

    /// Whether payloads are to be read anew at once when the key of that role has changed; else
    /// they are in their own time.
    virtual bool bearsOnPayloads(const QByteArray& role) const;

    /// What can be done to such a primitive besides what can be done to any.
    virtual ActionList actions() const { return {}; }
    /// Whether a key of it may be deleted or given a TTL by itself. Not of a library whose keys
    /// belong together: a queue without its meta hash, jobs without their queue.
    virtual bool allowsKeyActions() const { return true; }
    /// Messages that a lock's library publishes on release, so that waiters wake up: channel and
    /// message each. value: the lock's, or that of the field with its owner.
    virtual std::vector<std::pair<QByteArray, QByteArray>>
    releaseMessages(const Primitive&, const QByteArray& /*value*/) const
    {
        return {};
    }
    /// What a release pushes to the list of the role "signal", on which waiters block.
    virtual QByteArray signalElement(const Primitive&, const QByteArray& /*value*/) const
    {
        return QByteArrayLiteral("1");
    }
    /// Of a limiter: the keys in which it counts at that time, which is what a reset deletes. Not
    /// what it is configured by.
    virtual std::vector<QByteArray> countingKeys(const State& state, qint64 nowMs) const;

    /// Whether its workers name their connections, so that CLIENT LIST tells who listens.
    virtual bool namesWorkers() const { return false; }
    /// The worker of that queue whose connection has that name, empty where it has none of its own;
    /// nothing: it is no worker of it.
    virtual std::optional<QByteArray> workerOfClient(const Primitive& primitive,
                                                     const QByteArray& clientName) const;

    /// Bounded, read-only commands that list the jobs of one of the queue's states. Asked again
    /// with the replies so far until it asks for nothing more; nothing at all: it lists none.
    virtual std::vector<Command> jobReads(const Primitive& primitive, const JobQuery& query,
                                          std::span<const Reply> replies) const;
    /// Those jobs, what comes next first. An error reply in their place is no job.
    virtual std::vector<StoredJob> jobs(const Primitive& primitive, const JobQuery& query,
                                        std::span<const Reply> replies) const;
    /// The same of everything that is kept of one job, by its id and the state it was listed in.
    /// Nothing at all: what was listed is all there is.
    virtual std::vector<Command> jobDetailReads(const Primitive& primitive, const QByteArray& state,
                                                const QByteArray& id,
                                                std::span<const Reply> replies) const;
    virtual JobDetail jobDetail(const Primitive& primitive, const QByteArray& state,
                                const QByteArray& id, std::span<const Reply> replies) const;
    /// The key that holds this job and no other, by the id and the state it was listed in; empty:
    /// there is none.
    virtual QByteArray jobKey(const Primitive& primitive, const QByteArray& state,
                              const QByteArray& id) const;
    /// What the payload of such a job tells besides: of which others it is one. detail: with its
    /// payload.
    virtual void completeDetail(const Primitive& primitive, JobDetail& detail) const;

    /// Bounded, read-only commands that tell the primitive's state.
    virtual std::vector<Command> plan(const Primitive& primitive,
                                      const ReadContext& context) const = 0;
    /// Further commands that the replies so far call for: the hashes behind ids. Asked again with
    /// all commands and replies until it asks for nothing more, which decode() gets in one row.
    virtual std::vector<Command> further(const Primitive& primitive, const ReadContext& context,
                                         std::span<const Command> commands,
                                         std::span<const Reply> replies) const;
    /// Decodes the replies to these commands, one for each in order. An error reply inside is the
    /// layout's to judge; errorIn() finds the first.
    virtual Result<DecodeResult> decode(const Primitive& primitive,
                                        std::span<const Command> commands,
                                        std::span<const Reply> replies,
                                        const ReadContext& context) const = 0;
    /// What plan() and decode() make of the replies to a probe of its main key, in one step: a scan
    /// asks for each of millions. For a table row, of a primitive that nobody declared. Nothing: it
    /// is to be planned.
    virtual std::optional<DecodeResult> decodeProbe(const Primitive&, const Probe&,
                                                    const ReadContext&) const
    {
        return {};
    }
};

/// The first error reply as an Error with the key it belongs to; nothing if there is none.
std::optional<Error> errorIn(const Primitive& primitive, std::span<const Command> commands,
                             std::span<const Reply> replies);

/// All layouts there are, in the order of the list in all.cpp.
std::span<const Layout* const> allLayouts();
/// The layout of that id, or null.
const Layout* findLayout(const QByteArray& id);
/// The one whose isPlainest() says so, or null.
const Layout* plainestLayout(Kind kind, KeyType type);
/// What teaches people how to declare primitives of the kind.
QString exampleDeclaration(Kind kind);
/// What its layout shows of a primitive; what its kind does where there is no such layout.
std::span<const Column> columnsOf(const Primitive& primitive);
std::span<const Metric> metricsOf(const Primitive& primitive);
/// Of these the columns that its kind does not have, or has in another way.
std::vector<Column> ownColumns(const Primitive& primitive);
/// Its title; the id where there is no such layout.
QString layoutTitle(const QByteArray& id);

/// Every field that any layout looks at in a hash: what probes and plans ask for in one HMGET.
const std::vector<QByteArray>& probedHashFields();

} // namespace lk
