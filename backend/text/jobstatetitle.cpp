// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/jobstatetitle.h"

#include "backend/core/names/keyname.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct JobStateText
{
    Q_DECLARE_TR_FUNCTIONS(lk::JobState)
};

} // namespace

QString jobStateTitle(const JobState& state)
{
    // The states of the generic layouts, and those that many libraries share.
    static const std::pair<const char*, QString (*)()> titles[] = {
        {"waiting", [] { return JobStateText::tr("Waiting"); }},
        {"wait", [] { return JobStateText::tr("Waiting"); }},
        {"in-progress", [] { return JobStateText::tr("In progress"); }},
        {"active", [] { return JobStateText::tr("Active"); }},
        {"delayed", [] { return JobStateText::tr("Delayed"); }},
        {"scheduled", [] { return JobStateText::tr("Scheduled"); }},
        {"dead-lettered", [] { return JobStateText::tr("Dead-lettered"); }},
        {"dead", [] { return JobStateText::tr("Dead"); }},
        {"failed", [] { return JobStateText::tr("Failed"); }},
        {"completed", [] { return JobStateText::tr("Completed"); }},
        {"paused", [] { return JobStateText::tr("Paused"); }},
    };
    for (const auto& [name, title] : titles) {
        if (state.name == name)
            return title();
    }
    QString words = displayName(state.name);
    words.replace(QLatin1Char('-'), QLatin1Char(' '));
    return words.left(1).toUpper() + words.mid(1);
}

} // namespace lk
