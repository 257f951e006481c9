// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"
#include "backend/libraries/api/actionlist.h"
#include "backend/libraries/api/configfield.h"
#include "backend/libraries/api/read.h"
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
        None,     ///< no further proof
        Siblings, ///< at least this many keys of one form
        Growth,   ///< at least this many counters of one form that only grow until they end
        Turnover, ///< a key whose value was replaced at least this often by one of the same shape
    };
    Way way = Way::None;
    quint8 least = 0;
    bool together = false; ///< Growth: it is enough if they end at the same time
};

/// A layout's claim of a key: which primitive it belongs to and in which role.
/// Claims of several keys that name the same primitive are merged, so a companion's claim names
/// the same primitive as the main key's.
struct Claim
{
    PrimitiveId id;
    std::vector<KeyRole> keys; ///< the keys of this claim; the main key first, if known
    double confidence = 0; ///< 0 to 1; below likelyFrom: only offered; from certainFrom on: proven
    QByteArray label = {}; ///< see Primitive::label
    Doubt doubt = Doubt::NameOnly; ///< why the claim is only possible, if it is
    FurtherProof further = {};     ///< the proof that would make it likely
    bool openName = false;         ///< see Primitive::openName
};

/// How much of a primitive is wanted.
enum class Depth : quint8 {
    Summary, ///< the facts of a table row
    Detail,  ///< the facts of the detail pane of the selected primitive
};

/// Which payloads a plan reads: the jobs of a queue, the items of a list.
enum class PayloadRead : quint8 {
    Full,  ///< the payloads, within the layout's bounds
    Probe, ///< only signs of a change: lengths, sizes, and the ends if they are small
    None,  ///< none; those of the previous state stay
};

/// How a layout reads a primitive.
struct ReadContext
{
    qint64 nowMs = 0; ///< server time; an estimate before the first replies, then exact
    Depth depth = Depth::Summary;
    bool large = false; ///< the first read was cut: read a large value
    /// The last decoded state; for a large value, the state of the first read. May be null.
    const State* previous = nullptr;
    PayloadRead payloads = PayloadRead::Full;
    bool unchanged = false; ///< with None: a change feed reported no write since the last read
};

/// The result of Layout::readState().
struct DecodeResult
{
    State state;             ///< the reader fills in primitive and asOfMs
    bool wantsLarge = false; ///< the replies were cut; read again with ReadContext::large
};

/// Where a layout comes from. Empty fields are unknown.
struct LayoutOrigin
{
    QByteArray family; ///< the family, if a file describes the layout
    QString library;
    QString versions;
    QString url;    ///< the library's own documentation
    QString source; ///< the operator's file; empty if built in
};

/// How a library or recipe stores a primitive in keys. Pure: no I/O, no clock, no state; one
/// instance serves all threads.
class Layout
{
public:
    virtual ~Layout() = default;

    virtual QByteArray id() const = 0; ///< "redisson-rate-limiter"; in files and JSON
    virtual QString title() const = 0; ///< "Redisson rate limiter"; translated
    virtual Kind kind() const = 0;
    virtual LayoutOrigin origin() const { return {}; }

    /// True if classify() may claim keys of that type.
    virtual bool wants(KeyType type) const = 0;
    /// Returns a predicate for keys that may belong to the named primitive although their names do
    /// not follow from its name: a worker's processing list, a consumer. Only a scan finds them.
    /// Empty if there are none.
    virtual std::function<bool(const QByteArray& key)> furtherKeys(const QByteArray& name) const;
    /// The primitives (PrimitiveId::name) of this layout that a key of that name would only be a
    /// part of, as a job's hash is of its queue; likeliest first. While one of them is known, the
    /// key counts as matched and is neither probed nor held. Its probe may claim the primitive
    /// without listing the key.
    virtual std::vector<QByteArray> ownersOf(const QByteArray& name) const;
    /// The common start of the names of one application's primitives, "acme:rq:". ownersOf()
    /// returns it for a key that belongs to no single one of them, as a worker's hash. Empty if
    /// they have none.
    virtual QByteArray stemOf(const QByteArray& name) const;
    /// The hash fields that classify() and the plans read. Return few: each is read from every
    /// hash.
    virtual std::vector<QByteArray> hashFields() const { return {}; }
    /// The claim if the probed key is part of such a primitive; nothing if not.
    virtual std::optional<Claim> classify(const Probe& probe) const = 0;

    /// Further primitives that the probed key names besides the one of classify(), as a set of
    /// queue names does. Their keys are assumed until they are seen.
    virtual std::vector<Claim> alsoNamed(const Probe& probe) const;

    /// The claim that a declaration makes for a key that matches its pattern. The default names
    /// the primitive after the key and gives it mainRole() and the declared companions.
    virtual Claim declared(const Declaration& declaration, const QByteArray& name) const;
    /// The role of the key that a declaration's pattern matches: "window", "lock", "ready".
    virtual QByteArray mainRole() const = 0;
    /// The type of that key, so that a declared key of another type can be reported.
    virtual KeyType mainType() const = 0;
    /// The fields of a declaration besides those of the kind. A field with the same name as one of
    /// the kind's replaces it.
    virtual std::vector<ConfigField> configFields() const { return {}; }
    /// An example declaration for the configuration file, shown to users who have no primitive of
    /// the kind. Empty if another layout provides the kind's example.
    virtual QString exampleDeclaration() const { return {}; }
    /// True if a key of that type is read with this layout when the user says that it is of the
    /// kind and no layout claims it. KeyType::None: no key has that name yet.
    virtual bool isPlainest(KeyType) const { return false; }

    /// The columns that a detail pane, an export and an outcome show: the kind's, or columnsWith()
    /// more. A board shows those of the kind in every row. Lives as long as this.
    virtual std::span<const Column> columns() const { return lk::columns(kind()); }
    /// Its metrics over time: the kind's, or metricsWith() more. Lives as long as this.
    virtual std::span<const Metric> metrics() const { return lk::metrics(kind()); }

    /// True if payloads must be read again at once when the key with that role has changed.
    /// Otherwise they are read at their own interval.
    virtual bool bearsOnPayloads(const QByteArray& role) const;

    /// The actions for such a primitive besides those for any key.
    virtual ActionList actions() const { return {}; }
    /// True if a single key of it may be deleted or given a TTL. False for libraries whose keys
    /// depend on each other: a queue on its meta hash, jobs on their queue.
    virtual bool allowsKeyActions() const { return true; }
    /// The messages that a lock's library publishes on release to wake up waiters: pairs of channel
    /// and message. value: the lock's value, or that of the field with its owner.
    virtual std::vector<std::pair<QByteArray, QByteArray>>
    releaseMessages(const Primitive&, const QByteArray& /*value*/) const
    {
        return {};
    }
    /// The element that a release pushes to the list with the role "signal", on which waiters
    /// block.
    virtual QByteArray signalElement(const Primitive&, const QByteArray& /*value*/) const
    {
        return QByteArrayLiteral("1");
    }
    /// For a limiter: the keys in which it counts at that time. A reset deletes these. Does not
    /// contain the keys with its configuration.
    virtual std::vector<QByteArray> countingKeys(const State& state, qint64 nowMs) const;

    /// True if its workers name their connections, so that CLIENT LIST shows who listens.
    virtual bool namesWorkers() const { return false; }
    /// The name of the queue's worker whose connection has that name. Empty if the worker has no
    /// name of its own; nothing if the connection is not a worker of the queue.
    virtual std::optional<QByteArray> workerOfClient(const Primitive& primitive,
                                                     const QByteArray& clientName) const;

    /// Lists the jobs of one of the queue's states by bounded, read-only commands, the next one
    /// first. Asks nothing if the layout lists no jobs. The primitive outlives the read.
    virtual Read<std::vector<StoredJob>> readJobs(const Primitive& primitive, JobQuery query) const;
    /// All data of one job, by its id and the state it was listed in, if that is known. Asks
    /// nothing if the listing already has everything. The primitive outlives the read.
    virtual Read<JobDetail> readJob(const Primitive& primitive, QByteArray state,
                                    QByteArray id) const;
    /// The key that holds only this job, by its id and the state it was listed in. Empty if there
    /// is none.
    virtual QByteArray jobKey(const Primitive& primitive, const QByteArray& state,
                              const QByteArray& id) const;
    /// Adds facts from the job's payload, such as the group of jobs that it belongs to. detail: has
    /// the payload.
    virtual void completeDetail(const Primitive& primitive, JobDetail& detail) const;

    /// Reads the primitive's state by bounded, read-only commands. primitive and context outlive
    /// the read; context.nowMs is always the server's time as of the last replies. A reply that is
    /// an error ends the read, unless the command mayFail().
    virtual Read<DecodeResult> readState(const Primitive& primitive,
                                         const ReadContext& context) const = 0;
    /// True if the reply to that command of readState() may be an error: a command that the user
    /// may not run, or a key of another type beside the primitive's own.
    virtual bool mayFail(const Primitive&, const Command&) const { return false; }
    /// The result of readState() for the replies to a probe of the main key, in one step. A scan
    /// calls it for each of millions of keys. Only for a table row of a primitive that is not
    /// declared. Nothing if the primitive needs more.
    virtual std::optional<DecodeResult> decodeProbe(const Primitive&, const Probe&,
                                                    const ReadContext&) const
    {
        return {};
    }
};

/// The first error reply as an Error with its key. Nothing if there is none.
std::optional<Error> errorIn(const Primitive& primitive, std::span<const Command> commands,
                             std::span<const Reply> replies);

/// All layouts, in the order of the list in all.cpp.
std::span<const Layout* const> allLayouts();
/// The layout with this id, or null.
const Layout* findLayout(const QByteArray& id);
/// The layout whose isPlainest() is true, or null.
const Layout* plainestLayout(Kind kind, KeyType type);
/// The example that shows users how to declare primitives of the kind.
QString exampleDeclaration(Kind kind);
/// The columns of the primitive's layout; those of its kind if the layout is unknown.
std::span<const Column> columnsOf(const Primitive& primitive);
std::span<const Metric> metricsOf(const Primitive& primitive);
/// The columns of columnsOf() that its kind does not have or defines differently.
std::vector<Column> ownColumns(const Primitive& primitive);
/// The layout's title; the id if there is no such layout.
QString layoutTitle(const QByteArray& id);

/// All hash fields that any layout reads. Probes and plans read them with one HMGET.
const std::vector<QByteArray>& probedHashFields();

} // namespace lk

/// Defines the function that gives the layouts' list (catalogue/all.cpp) its one object of that
/// class.
#define LK_LAYOUT(name, Class)                                                                     \
    const Layout& layouts_##name()                                                                 \
    {                                                                                              \
        static const Class layout;                                                                 \
        return layout;                                                                             \
    }
