// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/redactedname.h"
#include "backend/core/snapshot.h"
#include "backend/discovery/scan/pace/scanpace.h"
#include "backend/redis/url.h"

#include <QStringList>

#include <optional>
#include <vector>

namespace lk {

/// Which jobs are asked for.
struct JobsWanted
{
    QByteArray queue;  ///< the library's own name, the primitive's, or one of its keys
    QByteArray state;  ///< JobState::name or a role; empty: all
    QString grep;      ///< empty: those that come first
    qint64 limit = 50; ///< per state
    bool payloads = false;
};

/// The request to read, release or undo a lock that several servers hold together.
struct RedlockWanted
{
    enum class What : quint8 { Read, Release, Undo };
    What what = What::Read;
    QByteArray name;  ///< Release
    QByteArray owner; ///< Release: the expected owner
    QByteArray group; ///< Undo: the group's id in the journal
    QString reason;
    QString environment;
    QString undoKey; ///< as fetchUndoKey() takes it
    bool dryRun = false;
    bool yes = false;
};

/// A parsed command line of `lockkeeper`.
struct Invocation
{
    /// The command; Console: a URL, or nothing, stands in its place.
    enum class Mode : quint8 {
        Console,
        Snapshot,
        Check,
        Act,
        Jobs,
        Layouts,
        Acl,
        Redlock,
        Record,
        History,
        Completion,
        Help,
        Version
    };
    enum class Format : quint8 { Text, Json, Prometheus, Csv };

    Mode mode = Mode::Console;
    QString helpTopic = {}; ///< Help: the command; empty: all
    ServerUrl url = {};     ///< Snapshot, Check, Jobs, Acl; the first if there are several
    std::vector<ServerUrl> urls = {}; ///< Snapshot, Check, Record: all; no two are the same
    bool hasUrl = false;              ///< Acl: a server is to be asked
    bool acts = false;                ///< Acl: for a user who acts
    bool ofSentinel = false;          ///< Acl: for a user of the Sentinels
    QString configFile = {};
    QString layoutsFolder = {};
    QString tryLayout = {}; ///< Layouts: a file to be tried on a server; empty: none
    Format format = Format::Text;
    Finding::Severity failOn =
        Finding::Severity::Warning; ///< Check: exits with 1 from this severity on
    bool connectionOnly = false;    ///< Check: reports only how the connection comes about
    bool allowPartial = false;      ///< Check: unreadable parts do not make it fail
    int timeoutMs = 60'000;         ///< without progress
    qint64 sampleKeys = 0;          ///< Snapshot: stops after so many keys; 0: reads all
    qint64 maxMemory = 0;           ///< Snapshot: reads no more beyond so many bytes; 0: no limit
    std::optional<ScanPace> pace = {}; ///< the scans' pace; empty: as the server's load allows
    Codes codes = Codes::Masked;       ///< whether tokens' codes are printed in full
    JobsWanted jobs = {};              ///< Jobs
    RedlockWanted redlock = {};        ///< Redlock
    QString listen = {};               ///< Record: ADDRESS:PORT; empty: nothing is served
    QString listenPasswordFile = {};   ///< Record: with listen; empty: no password
    QString testNotify = {};           ///< Record: the target that is tried; empty: none
    QString storeFile = {};            ///< the recording; empty: historyPath()
    qint64 forMs = 0;                  ///< Record: ends after so long; 0: never
    QString at = {};                   ///< Snapshot: as it was then, from the recording
    QString historyOf = {};            ///< History: a name or key
    QString deployment = {};           ///< History: an address or a title; empty: all
    /// History: as they were written; empty: not given. parseMoment() takes all three: only who
    /// has the recording knows what time it is on the server.
    QString from = {};
    QString to = {};
    /// Act: what follows, for parseAct(); Completion: the shell; Layouts: files to check; Console:
    /// its arguments.
    QStringList words = {};
};

/// arguments: without the program's name. The password of a URL may come in the environment
/// variable LOCKKEEPER_PASSWORD instead, where other users cannot read it. Arguments
/// without a command of `lockkeeper` are for the console: an address, nothing at all,
/// `screenshots`.
/// Errors: BadArgument or BadUrl, each one sentence.
Result<Invocation> parseArguments(const QStringList& arguments, const QString& passwordVariable);

} // namespace lk
