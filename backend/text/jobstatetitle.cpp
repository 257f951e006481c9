// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/jobstatetitle.h"

#include "backend/core/names/keyname.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::JobState)
};

} // namespace

QString jobStateTitle(const JobState& state)
{
    // The generic layouts' own words, and those that many libraries share.
    static const std::pair<const char*, QString (*)()> titles[] = {
        {"waiting", [] { return Text::tr("Waiting"); }},
        {"wait", [] { return Text::tr("Waiting"); }},
        {"in-progress", [] { return Text::tr("In progress"); }},
        {"active", [] { return Text::tr("Active"); }},
        {"delayed", [] { return Text::tr("Delayed"); }},
        {"scheduled", [] { return Text::tr("Scheduled"); }},
        {"dead-lettered", [] { return Text::tr("Dead-lettered"); }},
        {"dead", [] { return Text::tr("Dead"); }},
        {"failed", [] { return Text::tr("Failed"); }},
        {"completed", [] { return Text::tr("Completed"); }},
        {"paused", [] { return Text::tr("Paused"); }},
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
