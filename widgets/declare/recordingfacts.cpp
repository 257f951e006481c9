// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/declare/recordingfacts.h"

#include "backend/session/recording/sessionrecorder.h"
#include "backend/session/session.h"
#include "backend/text/errortext.h"
#include "backend/text/time/duration.h"

#include <QCoreApplication>
#include <QLocale>

namespace lk {

namespace {

struct RecordingFactsText
{
    Q_DECLARE_TR_FUNCTIONS(lk::RecordingFacts)
};

QString stateText(const SessionRecorder::Status& status)
{
    if (status.problem)
        return RecordingFactsText::tr("interrupted: %1. Retrying automatically")
            .arg(errorText(*status.problem));
    if (status.here)
        return RecordingFactsText::tr("on");
    return status.elsewhere ? RecordingFactsText::tr("by another program")
                            : RecordingFactsText::tr("once it is connected");
}

} // namespace

std::vector<FactGrid::Row> recordingFacts(const Session& session)
{
    const SessionRecorder* recorder = recorderOf(session);
    if (!recorder)
        return {{RecordingFactsText::tr("Recording"), RecordingFactsText::tr("off"), false}};
    const SessionRecorder::Status& status = recorder->status();
    std::vector<FactGrid::Row> rows{
        {RecordingFactsText::tr("Recording"), stateText(status), false}};
    const RecordingSize& size = status.size;
    if (size.path.isEmpty())
        return rows;
    const QLocale locale;
    rows.push_back({RecordingFactsText::tr("File"), size.path, true});
    rows.push_back({RecordingFactsText::tr("Size"),
                    RecordingFactsText::tr("%1 of %2 at most")
                        .arg(locale.formattedDataSize(size.bytes, 1, QLocale::DataSizeSIFormat),
                             locale.formattedDataSize(size.capBytes, 1, QLocale::DataSizeSIFormat)),
                    false});
    if (size.firstMs > 0)
        rows.push_back(
            {RecordingFactsText::tr("Oldest data"),
             RecordingFactsText::tr("%1 ago").arg(formatDuration(size.lastMs - size.firstMs)),
             false});
    const auto& tiers = session.live()->config().recording.tiers;
    rows.push_back({RecordingFactsText::tr("Kept"),
                    RecordingFactsText::tr(
                        "as read for %1, every 10 s for %2, every minute for %3, every hour "
                        "for %4")
                        .arg(formatDuration(tiers[0].keepMs), formatDuration(tiers[1].keepMs),
                             formatDuration(tiers[2].keepMs), formatDuration(tiers[3].keepMs)),
                    false});
    return rows;
}

} // namespace lk
